import type { Language as Grammar, Parser, Query } from 'web-tree-sitter';
import type { TreeSitterStructure } from './language.ts';

/** Bytes of a compiled grammar by name; handed in, because only `platform` opens files. */
export type ReadGrammar = (name: string) => Uint8Array;

/** A parser and a compiled query, ready for texts of one language. */
export interface LoadedGrammar {
  readonly parser: Parser;
  readonly query: Query;
}

/** A grammar that is not there or that cannot be used: the fault of the installation, not of the file. */
export class GrammarError extends Error {}

/** The wasm runtime has broken off: nothing that is parsed with it from now on can be believed. */
export function isRuntimeGone(error: unknown): boolean {
  return error instanceof wasm.RuntimeError;
}

type CompiledGrammar = Parameters<typeof Grammar.loadSync>[0];

/** Node's types have no values for this namespace. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => CompiledGrammar;
    readonly RuntimeError: new () => Error;
  };
};

let runtime: Promise<typeof import('web-tree-sitter')> | null = null;

async function startRuntime(readGrammar: ReadGrammar): Promise<typeof import('web-tree-sitter')> {
  const treeSitter = await import('web-tree-sitter');
  await treeSitter.Parser.init({ wasmBinary: readGrammar('web-tree-sitter') });
  return treeSitter;
}

/** Loads grammars when a file first needs them: most runs meet two or three languages. */
export function createGrammarLoader(readGrammar: ReadGrammar) {
  const loaded = new Map<TreeSitterStructure, Promise<LoadedGrammar>>();
  const grammars = new Map<string, Grammar>();

  async function load(structure: TreeSitterStructure): Promise<LoadedGrammar> {
    runtime ??= startRuntime(readGrammar);
    const { Language, Parser, Query } = await runtime;
    let grammar = grammars.get(structure.grammar);
    if (!grammar) {
      // compiled here and now: in the background it would queue behind the optimizer, which takes seconds for the
      // huge lexers of grammars that have been used already
      grammar = Language.loadSync(new wasm.Module(readGrammar(structure.grammar)));
      grammars.set(structure.grammar, grammar);
    }
    const parser = new Parser();
    parser.setLanguage(grammar);
    return { parser, query: new Query(grammar, structure.query) };
  }

  return (structure: TreeSitterStructure): Promise<LoadedGrammar> => {
    let entry = loaded.get(structure);
    if (!entry) {
      entry = load(structure).catch((cause: unknown) => {
        throw new GrammarError(`the grammar "${structure.grammar}" cannot be loaded`, { cause });
      });
      loaded.set(structure, entry);
    }
    return entry;
  };
}

export type GrammarLoader = ReturnType<typeof createGrammarLoader>;

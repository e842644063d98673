import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ParsedFile } from '../../src/model/parsed-file.ts';
import { languageById } from '../../src/scan/parse/languages/table.ts';
import { createParser } from '../../src/scan/parse/parse-file.ts';
import { signatureView } from '../../src/scan/parse/signature-view.ts';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Grammars straight from the development dependency, so that unit tests need no build. */
export function readGrammar(name: string): Uint8Array {
  if (name === 'web-tree-sitter') return readFileSync(join(modules, 'web-tree-sitter/web-tree-sitter.wasm'));
  return readFileSync(join(modules, 'tree-sitter-wasm/out', name, `tree-sitter-${name}.wasm`));
}

const parse = createParser({ readGrammar, now: () => performance.now(), limitMs: 10_000 });

export async function parseSnippet(language: string, text: string): Promise<ParsedFile> {
  const known = languageById(language);
  if (!known) throw new Error(`no language "${language}" in the table`);
  const parsed = await parse(text, known);
  if (parsed.problem) throw new Error(`${language}: ${parsed.problem}`);
  return parsed;
}

/** `kind Container.name` for each symbol, in order: what most language tests assert. */
export function outline(parsed: ParsedFile): string[] {
  const qualified = (index: number): string => {
    const symbol = parsed.symbols[index]!;
    return symbol.container < 0 ? symbol.name : `${qualified(symbol.container)}.${symbol.name}`;
  };
  return parsed.symbols.map((symbol, index) => `${symbol.kind} ${qualified(index)}`);
}

export async function viewOf(language: string, text: string): Promise<string> {
  return signatureView(text, await parseSnippet(language, text));
}

// Starts the template engine with limits on memory and time.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Context, createContext, Script } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
import type { Environment } from 'minijinja-js';

/** The functions of one instance of the template engine, which is a wasm program. */
export interface TemplateRuntime {
  readonly Environment: new () => Environment;
}

/** Node's types have no values for this namespace. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => object;
}
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };

/** Pages of 64 KB: a template that doubles a text ends here, not when the machine has no memory left. */
const MAX_MEMORY_PAGES = (512 * 1024 * 1024) / 65_536;

let loaded: { readonly script: Script; readonly module: object } | null = null;

/**
 * Starts an instance with a memory of its own. The files are read and compiled at the first call; after that an instance
 * takes about a millisecond. Drop an instance after a trap: its memory may be in any state.
 *
 * The package's JavaScript is run here, not imported. An import gives one instance for each process, and three things of
 * it must be replaced: its wasm has no limit of memory, it prints panics to the console, and its finalizer crashes the
 * process when an instance is broken. Environments are freed by their owner instead.
 */
export function startTemplateRuntime(): TemplateRuntime {
  loaded ??= loadFiles();
  const { script, module: compiled } = loaded;
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  // The package reads and compiles the wasm itself: it gets the compiled one.
  const fakes: Readonly<Record<string, object>> = {
    path: { join: () => '' },
    fs: { readFileSync: () => null },
    util: { TextEncoder, TextDecoder },
  };
  const compileNothing = function compileNothing() {
    return compiled;
  };
  const silent = { error: () => undefined };
  const web = { Module: compileNothing, Instance: wasm.Instance };
  run(module.exports, (name: string) => fakes[name], module, '', silent, web, undefined);
  return module.exports as TemplateRuntime;
}

/**
 * Runs `work` and ends it after `milliseconds`, even inside one endless wasm call. Null means that the time was up. The
 * instance was then stopped in the middle of its work: drop it.
 */
export function runWithTimeLimit<Result>(
  milliseconds: number,
  work: () => Result,
): { readonly result: Result } | null {
  timing ??= { context: createContext({}), script: new Script('work()') };
  timing.context.work = () => ({ result: work() });
  try {
    return timing.script.runInContext(timing.context, { timeout: milliseconds }) as {
      readonly result: Result;
    };
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  } finally {
    delete timing.context.work;
  }
}

let timing: { readonly context: Context; readonly script: Script } | null = null;

/** The package has both files beside the program; a checkout has them in `node_modules`. */
function loadFiles(): { readonly script: Script; readonly module: object } {
  const shipped = fileURLToPath(new URL('./vendor/minijinja-js.cjs', import.meta.url));
  const isShipped = existsSync(shipped);
  const file = isShipped ? shipped : createRequire(import.meta.url).resolve('minijinja-js');
  const bytes = isShipped
    ? brotliDecompressSync(readFileSync(file.replace(/\.cjs$/, '.wasm.br')))
    : readFileSync(file.replace(/\.js$/, '_bg.wasm'));
  const parameters = 'exports,require,module,__dirname,console,WebAssembly,FinalizationRegistry';
  const script = new Script(`(function(${parameters}){${readFileSync(file, 'utf8')}\n})`, { filename: file });
  return { script, module: new wasm.Module(limitMemory(bytes, MAX_MEMORY_PAGES)) };
}

const MEMORY_SECTION = 5;

/** The same program with a largest size in its memory section, which says `1 memory, no largest size, N pages`. */
function limitMemory(program: Uint8Array, pages: number): Uint8Array {
  let at = 8;
  while (at < program.length) {
    const size = readNumber(program, at + 1);
    if (program[at] === MEMORY_SECTION) {
      const [count, flags] = program.subarray(size.end);
      if (count !== 1 || flags !== 0) break;
      const smallest = program.subarray(size.end + 2, size.end + size.value);
      const section = Buffer.from([count, 1, ...smallest, ...writeNumber(pages)]);
      return Buffer.concat([
        program.subarray(0, at + 1),
        Buffer.from(writeNumber(section.length)),
        section,
        program.subarray(size.end + size.value),
      ]);
    }
    at = size.end + size.value;
  }
  throw new Error('the memory section of the template engine is not as expected');
}

/** Numbers in wasm have seven bits in a byte, the lowest first; the eighth bit says that more follow. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++] ?? 0;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value, end };
  }
}

function writeNumber(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...writeNumber(value >>> 7)];
}

// Loads bundled scripts and keeps their compiled code between runs, which saves most of the time of a start. Loads
// optional packages too.

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { errorCode } from '../../model/loadout-error.ts';
import { writeFileAtomic } from '../fs/atomic-file.ts';
import { createFolders } from '../fs/make-folder.ts';
import { readRegularFile } from '../fs/read-file.ts';

/** Compiled code that was not used for this long belongs to a version that was removed. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** Drafts of processes that were killed before they could rename them. */
const DRAFT_MS = 10 * 60_000;
const SUFFIX = '.code';

let codeFolder: string | null = null;
const toKeep: { readonly path: string; readonly script: Script }[] = [];

/** From now on scripts start from the compiled code of earlier runs, which this folder holds. */
export function useCodeFolder(folder: string): void {
  codeFolder = folder;
}

/**
 * Loads a CommonJS bundle in ASCII that needs only Node's own modules. `name` stands for the content of the file:
 * compiled code is used for the same name only, whatever the file is called. The script calls `importModule` as
 * `__import`, because code that was compiled before cannot import by itself.
 */
export function loadScript(
  file: URL,
  name: string,
  importModule?: (specifier: string) => Promise<unknown>,
): unknown {
  const path = fileURLToPath(file);
  const source = `(function(exports,require,module,__filename,__dirname,__import){${readFileSync(path, 'latin1')}\n})`;
  const codePath = codeFolder && join(codeFolder, `${name}-${process.version}-${process.arch}${SUFFIX}`);
  const cachedData = codePath ? readCode(codePath) : undefined;
  const script = new Script(source, { filename: path, ...(cachedData ? { cachedData } : {}) });
  if (codePath && (!cachedData || script.cachedDataRejected)) toKeep.push({ path: codePath, script });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(module.exports, createRequire(path), module, path, dirname(path), importModule);
  return module.exports;
}

/** Keeps the code that has been compiled by now for the next run. It only saves time, so errors are ignored. */
export function keepCompiledCode(nowMs: number): void {
  for (const { path, script } of toKeep.splice(0)) {
    try {
      const code = script.createCachedData();
      const checksum = Buffer.alloc(4);
      checksum.writeUInt32LE(crc32(code));
      createFolders(dirname(path), 0o700);
      writeFileAtomic(path, Buffer.concat([checksum, code]));
      removeUnused(dirname(path), nowMs);
    } catch {
      return;
    }
  }
}

const MAX_CODE_BYTES = 100_000_000;

/** Checks the bytes, because the engine does not: damaged code could do anything. */
function readCode(path: string): Buffer | undefined {
  try {
    const bytes = readRegularFile(path, MAX_CODE_BYTES);
    const code = bytes.subarray(4);
    return bytes.length > 4 && bytes.readUInt32LE(0) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Compiled code of other versions, and drafts of processes that died. */
function removeUnused(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const most = name.endsWith(SUFFIX) ? KEPT_MS : DRAFT_MS;
    if (nowMs - statSync(path).mtimeMs > most) rmSync(path, { force: true });
  }
}

/** A package that the user may have installed next to Loadout; null when there is none. */
export async function loadOptionalPackage(name: string): Promise<unknown> {
  try {
    // not a literal, so that no bundler tries to resolve it
    return await import(`${name}`);
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return null;
    // bundlers throw this error in place of an optional package that is missing
    if (error instanceof Error && /^Could not resolve "/.test(error.message)) return null;
    throw error;
  }
}

/** `loadout pack --verify FILE`: compares a stored JSON package with the repository as it is now. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type StoredItem, verifyPackage } from '../../context/pack/index.ts';
import { ITEM_FORMS, type LineRun } from '../../model/context-pack.ts';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { readJson } from '../../model/read-json.ts';
import type { CommandCall } from './command.ts';
import { align, printable } from './views/output.ts';

/** Larger than any package; a larger file is not one. */
const MAX_BYTES = 256_000_000;

/** Compares the files of a stored package with the repository. The exit code is 1 when one has changed or is gone. */
export async function verifyStored(call: CommandCall, file: string): Promise<number> {
  const items = readStored(resolve(call.io.cwd, file), file);
  const { settings } = await call.settings();
  const { items: verified, diagnostics } = await verifyPackage({
    repo: call.repository().path,
    settings,
    items,
    signal: call.signal,
    onProgress: call.output.progress.update,
  });
  call.output.progress.clear();
  call.output.diagnostics(diagnostics);
  const holds = verified.every(({ state }) => state === 'same');
  if (call.global.json) call.output.json({ holds, items: verified });
  else {
    for (const line of align(verified.map(({ state, path }) => [state, printable(path)])))
      call.output.line(line);
  }
  return holds ? 0 : 1;
}

/** Reads the items of a stored package. The file may come from anywhere, so nothing in it is taken on trust. */
function readStored(path: string, shown: string): StoredItem[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw badPackage(shown, `cannot be read (${errorCode(error)})`);
  }
  if (text.length > MAX_BYTES) throw badPackage(shown, `has more than ${MAX_BYTES} bytes`);
  const read = readJson(text, MAX_BYTES);
  if (read.kind === 'invalid') throw badPackage(shown, 'is not JSON');
  const { value } = read;
  const items = isRecord(value) && Array.isArray(value.items) ? value.items : null;
  if (items === null) throw badPackage(shown, 'is not a package: it has no list of items');
  return items.map((item, at) => readItem(item) ?? refuseItem(shown, at));
}

/** An error that names the item by its position, counted from 0. */
function refuseItem(shown: string, at: number): never {
  throw badPackage(shown, `is not a package: its item ${at} is not one`);
}

/** Null when the value is not an item of a package. */
function readItem(item: unknown): StoredItem | null {
  if (!isRecord(item)) return null;
  const { path, form, content, lineRuns } = item;
  const known = ITEM_FORMS.find((one) => one === form);
  if (typeof path !== 'string' || !known || typeof content !== 'string' || !Array.isArray(lineRuns))
    return null;
  return lineRuns.every(isRun) ? { path, form: known, content, lineRuns } : null;
}

/** A run of lines: where it starts in the file, or null for lines that are not in it. */
function isRun(run: unknown): run is LineRun {
  if (!isRecord(run)) return false;
  const { startLine, count } = run;
  return Number.isSafeInteger(count) && (startLine === null || Number.isSafeInteger(startLine));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** An error about the file, with the command that writes a good one. */
function badPackage(file: string, why: string): LoadoutError {
  return new LoadoutError('bad-package', `${file} ${why}`, {
    subject: file,
    hint: 'store packages with: loadout pack "..." --json --output FILE',
  });
}

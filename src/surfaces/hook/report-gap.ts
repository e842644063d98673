import { type Gap, recordGap } from '../../context/evaluate/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { HookFiles } from './hook-files.ts';

/** A gap as an agent or a user reports it. */
export interface GapReport {
  readonly package: string;
  /** If empty, the task of the package is used, if it is known. */
  readonly task: string;
  readonly text: string;
  readonly nowMs: number;
}

const ID = /^[\w-]{4,80}$/;
const FORMAT = 1;
/** Ids are hashes; people see this many characters, which also name the stored file. */
export const SHOWN_ID_LENGTH = 16;

/** Stores the task of a package, so that a gap can be reported with only the id. */
export function rememberPackage(cacheDirectory: string, id: string, task: string): void {
  const name = id.slice(0, SHOWN_ID_LENGTH);
  new HookFiles(cacheDirectory).write('packages', name, JSON.stringify({ format: FORMAT, id: name, task }));
}

/** Empty when no package of this id was built here. */
function taskOfPackage(cacheDirectory: string, id: string): string {
  const text = new HookFiles(cacheDirectory).read('packages', id.slice(0, SHOWN_ID_LENGTH));
  const kept = text === null ? null : (jsonOrNull(text) as { readonly task?: unknown } | null);
  return typeof kept?.task === 'string' ? kept.task : '';
}

/** Stores what an agent was missing, with the task of its package. */
export function reportGap(
  repository: { readonly cache: { readonly path: string } },
  cacheDirectory: string,
  { package: id, task, text, nowMs }: GapReport,
): Gap & { readonly count: number } {
  if (!ID.test(id))
    throw new LoadoutError(
      'bad-package-id',
      `${JSON.stringify(id.slice(0, 80))} is not the id of a package`,
      {
        subject: '--package',
        hint: '"loadout pack" prints it on stderr, and --json has it',
      },
    );
  const known = task === '' ? taskOfPackage(cacheDirectory, id) : task;
  const gap: Gap = { package: id, task: known, text: text.trim(), at: new Date(nowMs).toISOString() };
  return { ...gap, count: recordGap(repository, cacheDirectory, gap) };
}

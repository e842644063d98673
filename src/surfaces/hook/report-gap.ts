import { type Gap, recordGap } from '../../context/evaluate/gaps.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { HookFiles } from './hook-files.ts';

export interface GapReport {
  readonly package: string;
  /** Empty: that of the package, if it is known. */
  readonly task: string;
  readonly text: string;
  readonly nowMs: number;
}

const ID = /^[\w-]{4,80}$/;
const FORMAT = 1;
/** Ids are hashes; so much of one is shown to people, and names what is kept. */
export const SHOWN_ID_LENGTH = 16;

/** Keeps the task of a package, so that a gap can be reported with the id alone. */
export function rememberPackage(cacheDirectory: string, id: string, task: string): void {
  const name = id.slice(0, SHOWN_ID_LENGTH);
  new HookFiles(cacheDirectory).write('packages', name, JSON.stringify({ format: FORMAT, id: name, task }));
}

/** Empty when no package of this id was built here. */
function taskOfPackage(cacheDirectory: string, id: string): string {
  const text = new HookFiles(cacheDirectory).read('packages', id.slice(0, SHOWN_ID_LENGTH));
  if (text === null) return '';
  try {
    const { task } = JSON.parse(text) as { readonly task?: unknown };
    return typeof task === 'string' ? task : '';
  } catch {
    return '';
  }
}

/** Keeps what an agent missed, with the task of its package. */
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

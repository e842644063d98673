import { type Gap, recordGap } from '../../eval/gaps.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { HookFiles } from './hook-files.ts';
import { readPackage } from './task-package.ts';

export interface GapReport {
  readonly package: string;
  /** Empty: that of the package, if it is known. */
  readonly task: string;
  readonly text: string;
  readonly nowMs: number;
}

const ID = /^[\w-]{4,80}$/;

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
        hint: 'it stands at the end of the package: letters and digits',
      },
    );
  const known = task === '' ? (readPackage(new HookFiles(cacheDirectory), id)?.task ?? '') : task;
  const gap: Gap = { package: id, task: known, text: text.trim(), at: new Date(nowMs).toISOString() };
  return { ...gap, count: recordGap(repository, cacheDirectory, gap) };
}

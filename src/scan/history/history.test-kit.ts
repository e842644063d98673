import type { TemporaryRepository } from '../../../test/support/temporary-repository.ts';
import type { CommitHistory } from '../../model/commit-history.ts';
import { openRepository } from '../repository.ts';
import { loadHistory } from './load-history.ts';

export const LIMIT = 100;

/** The history of a work tree as its `HEAD` has it now. */
export async function historyIn(path: string, cache: string, limit: number = LIMIT): Promise<CommitHistory> {
  const repository = await openRepository(path, cache);
  return loadHistory(repository, (await repository.git?.head()) ?? null, { limit });
}

/** `subject: path path`, newest first. */
export function told({ subjects, fileStarts, files, paths }: CommitHistory): string[] {
  return subjects.map((subject, commit) => {
    const places = files.subarray(fileStarts[commit], fileStarts[commit + 1]);
    return [`${subject}:`, ...Array.from(places, (place) => paths[place]!)].join(' ');
  });
}

export function commit({ git }: TemporaryRepository, message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', `--message=${message}`);
}

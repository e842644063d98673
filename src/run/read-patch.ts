import type { GitDoor } from '../platform/git.ts';
import { gitOutput } from '../platform/git-failure.ts';
import { splitNul } from '../platform/git-output.ts';

export interface Patch {
  readonly bytes: Buffer;
  /** Every file that is new, gone or different, by name. */
  readonly files: readonly string[];
  /** Files that were there before are among them. */
  readonly hasChanges: boolean;
}

const MOST_PATCH_BYTES = 64 * 1024 * 1024;
const OPTIONS = ['-r', '-p', '--raw', '-z', '--binary', '--full-index', '--no-renames'];
/** The list of files ends with an empty name. */
const END_OF_LIST = Buffer.from('\0\0');

/** The difference between two trees, and the names in it: one question, because every process that is started costs. */
export async function readPatch(git: GitDoor, from: string, to: string): Promise<Patch> {
  const result = await git.run(['diff-tree', ...OPTIONS, from, to], { maxOutputBytes: MOST_PATCH_BYTES });
  const output = gitOutput('diff-tree', result);
  const end = output.indexOf(END_OF_LIST);
  if (end === -1) return { bytes: Buffer.alloc(0), files: [], hasChanges: false };
  const fields = splitNul(output.subarray(0, end + 1));
  return {
    bytes: output.subarray(end + END_OF_LIST.length),
    files: fields.filter((_, at) => at % 2 === 1),
    hasChanges: fields.some((field, at) => at % 2 === 0 && !field.endsWith(' A')),
  };
}

import { LoadoutError } from '../../model/loadout-error.ts';
import { decodePath } from '../../platform/fs/path-codec.ts';
import type { GitDoor } from '../../platform/git/git.ts';
import type { ScratchWorkTree, TreeFile } from '../../platform/git/scratch-work-tree.ts';

const MOST_BATCH_BYTES = 32 * 1024 * 1024;
const MOST_BATCH_BLOBS = 2_000;

/** Makes the scratch tree that of a commit, below `prefix`; says how many files have no content here. */
export async function showCommit(
  git: GitDoor,
  tree: ScratchWorkTree,
  commit: string,
  { prefix, maxFileBytes }: { readonly prefix: string; readonly maxFileBytes: number },
): Promise<number> {
  const files = (await listTree(git, commit)).filter(({ path }) => path.startsWith(prefix));
  const wanted = tree.missing(files);
  const sizes = await sizesOf(git, [...new Set(wanted.map(({ blob }) => blob))]);
  const small = [...sizes].filter(([, size]) => size <= maxFileBytes);
  tree.moveTo(commit, files, await readBlobs(git, small));
  return wanted.filter(({ blob }) => !sizes.has(blob)).length;
}

async function listTree(git: GitDoor, commit: string): Promise<TreeFile[]> {
  const output = await ask(git, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
  const files: TreeFile[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const tab = output.indexOf(9, start);
    const [mode = '', , blob = ''] = output.toString('latin1', start, tab).split(' ');
    // links and submodules are never read, so they need not be there
    if (mode === '100644' || mode === '100755' || mode === '100664')
      files.push({ path: decodePath(output.subarray(tab + 1, end)), blob, executable: mode === '100755' });
    start = end + 1;
  }
  return files;
}

/** Without those that this clone does not have. */
async function sizesOf(git: GitDoor, blobs: readonly string[]): Promise<Map<string, number>> {
  if (blobs.length === 0) return new Map();
  const output = await ask(git, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], blobs);
  const lines = output.toString('latin1').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [blob = '', size = ''] = line.split(' ');
      return /^\d+$/.test(size) ? [[blob, Number(size)] as const] : [];
    }),
  );
}

async function readBlobs(
  git: GitDoor,
  blobs: readonly (readonly [blob: string, size: number])[],
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const batch of inBatches(blobs)) {
    const output = await ask(git, ['cat-file', '--batch'], batch);
    for (let at = 0; at < output.length; ) {
      const lineEnd = output.indexOf(10, at);
      const [blob = '', , size] = output.toString('latin1', at, lineEnd).split(' ');
      at = lineEnd + 1;
      if (size === undefined) continue;
      contents.set(blob, output.subarray(at, at + Number(size)));
      at += Number(size) + 1;
    }
  }
  return contents;
}

function inBatches(blobs: readonly (readonly [string, number])[]): string[][] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [blob, size] of blobs) {
    const last = batches.at(-1);
    if (!last || bytes + size > MOST_BATCH_BYTES || last.length === MOST_BATCH_BLOBS) {
      batches.push([blob]);
      bytes = size;
    } else {
      last.push(blob);
      bytes += size;
    }
  }
  return batches;
}

async function ask(git: GitDoor, args: readonly string[], lines?: readonly string[]): Promise<Buffer> {
  const input = lines && Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const { outcome, exitCode, stdout, stderr } = await git.run(args, input ? { input } : {});
  if (outcome === 'exited' && exitCode === 0) return stdout;
  const why = stderr.toString().trim() || outcome;
  throw new LoadoutError('git-failed', `git ${args[0]} failed: ${why}`, { subject: args[0]! });
}

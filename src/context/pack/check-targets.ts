import { LoadoutError } from '../../model/loadout-error.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { findFile } from '../../scan/plan-scan.ts';

/** A target that cannot be shown is a mistake of whoever named it, so it is said before anything else happens. */
export function checkTargets(root: SafeRoot, targets: readonly string[], maxBytes: number): string[] {
  const paths = targets.map((target) => root.contain(target));
  for (const path of paths) {
    const type = root.stat(path)?.type;
    if (type === undefined) throw refuse(path, 'does not exist', 'check the spelling');
    if (type === 'directory') throw refuse(path, 'is a folder', 'name files; --include takes folders');
    const outcome = root.read(path, maxBytes);
    if (outcome.kind !== 'content') {
      if (outcome.reason !== 'too-large') throw refuse(path, `cannot be read (${outcome.reason})`);
      const hint = 'allow larger files with --max-file-size';
      throw refuse(path, `has ${outcome.size} bytes, and at most ${maxBytes} are read`, hint);
    }
    if (decodeText(outcome.bytes).kind === 'binary')
      throw refuse(path, 'is a binary file', 'name text files');
  }
  return [...new Set(paths)];
}

/** Only what the scan lists: to an agent an ignored file is as far away as one outside the repository. */
export function checkListed(files: readonly SnapshotFile[], targets: readonly string[]): void {
  const unknown = targets.find((path) => findFile(files, path)?.skip !== null);
  if (unknown !== undefined) throw notShown(unknown);
}

export function notShown(asked: string): LoadoutError {
  return new LoadoutError('unknown-file', `${asked} is not a file that Loadout shows`, {
    subject: asked,
    hint: 'give a path relative to the repository; ignored, binary and very large files are not shown',
  });
}

function refuse(path: string, why: string, hint?: string): LoadoutError {
  const message = `the target ${JSON.stringify(path)} ${why}`;
  return new LoadoutError('bad-target', message, { subject: path, ...(hint ? { hint } : {}) });
}

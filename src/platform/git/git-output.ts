import { isUtf8 } from 'node:buffer';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodePath } from '../fs/path-codec.ts';
import type { ProcessResult } from '../process/process-runner.ts';
import type { GitFile } from './git.ts';

const MODES: Readonly<Record<string, GitFile['mode']>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};

/** The items of `-z` output. */
export function splitNul(output: Buffer): string[] {
  const items = isUtf8(output) ? output.toString('utf8').split('\0') : splitBytes(output);
  // After the last NUL there is nothing, or half an item.
  items.pop();
  return items;
}

function splitBytes(output: Buffer): string[] {
  const items: string[] = [];
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    items.push(decodePath(output.subarray(start, end)));
    start = end + 1;
  }
  return [...items, ''];
}

/** No system opens a longer one: such a name can stand in the index, and not be on disk. */
const MAX_PATH = 4_096;

/** Lines of `ls-files -s -v -z`: `H 100644 <blob> <stage>\t<path>`. */
export function parseTrackedFiles(output: Buffer): GitFile[] {
  const files: GitFile[] = [];
  for (const line of splitNul(output)) {
    const tab = line.indexOf('\t');
    const path = line.slice(tab + 1);
    if (path.length > MAX_PATH) continue;
    const stage = line[tab - 1];
    const file = {
      path,
      blob: line.slice(9, tab - 2),
      mode: MODES[line.slice(2, 8)] ?? 'file',
      trustStat: line[0] === 'H',
      isSparse: line[0] === 'S',
    };
    // A file in conflict comes once per stage, together; ours (2) stands for it, or whatever is left.
    if (stage === '0' || files.at(-1)?.path !== path) files.push(file);
    else if (stage === '2') files[files.length - 1] = file;
  }
  return files;
}

/** Triples of `check-attr -z`: path, attribute, value. */
export function parseAttributes(output: Buffer): Map<string, Map<string, string>> {
  const fields = splitNul(output);
  const attributes = new Map<string, Map<string, string>>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path, name, value] = [fields[index]!, fields[index + 1]!, fields[index + 2]!];
    if (value === 'unspecified') continue;
    const known = attributes.get(path);
    if (known) known.set(name, value);
    else attributes.set(path, new Map([[name, value]]));
  }
  return attributes;
}

/** What git said about a failure, in one text. */
export function gitFailureText(result: ProcessResult): string {
  const said = result.stderr.toString().trim();
  if (result.outcome !== 'exited') return `${said || 'it was stopped'} (${result.outcome})`;
  return said || `exit code ${result.exitCode}`;
}

/** The output of a command that must not fail. */
export function gitOutput(command: string, result: ProcessResult): Buffer {
  if (result.outcome === 'exited' && result.exitCode === 0) return result.stdout;
  throw new LoadoutError('git-failed', `git ${command} failed: ${gitFailureText(result)}`, {
    subject: command,
  });
}

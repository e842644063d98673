import type { Measure } from '../fit/measure.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { type ChangedFile, readChange } from '../pack/change/read-change.ts';
import { redactSecrets, type SecretFinding } from '../redact/redact-secrets.ts';
import { fenced } from '../render/fence.ts';
import type { Repository } from '../scan/repository.ts';

export interface StagedChange {
  readonly files: readonly ChangedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What `git diff --cached` shows; nothing, with a note, where git cannot tell. Mostly nothing is: that is asked first. */
export async function readStagedChange({ git, root }: Repository): Promise<StagedChange> {
  try {
    if (git !== null && (await git.run(['diff-index', '--cached', '--quiet', 'HEAD', '--'])).exitCode === 0)
      return { files: [], diagnostics: [] };
    return { files: await readChange(git, root.path, { base: 'HEAD', staged: true }), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    const message = `the staged changes are not shown: ${error.message}`;
    return { files: [], diagnostics: [{ code: 'no-staged-changes', severity: 'info', message }] };
  }
}

export interface DiffPart {
  readonly text: string;
  readonly findings: readonly SecretFinding[];
}

/** The change as a part of a prompt, of the files that may be shown; empty when there is none. */
export function diffPart(
  change: readonly ChangedFile[],
  isAllowed: (path: string) => boolean,
  redact: boolean,
): DiffPart {
  const shown = change.filter(({ path }) => isAllowed(path));
  const clean = shown.map(({ path, text }) => (redact ? redactSecrets(text, path) : { text, findings: [] }));
  const diff = clean.map(({ text }) => text).join('');
  if (diff === '') return { text: '', findings: [] };
  return { text: framed(diff), findings: clean.flatMap(({ findings }) => findings) };
}

/** More characters than this for a token are rare; what is longer need not be counted to be too long. */
const MOST_CHARACTERS = 8;

/** As many whole lines of a change as fit, and how many are missing. */
export function shortenDiff(part: string, limit: number, measure: Measure): string {
  const isShort = part.length <= limit * MOST_CHARACTERS;
  if (isShort && measure.count(part) <= limit) return part;
  const body = part.split('\n').slice(3, -1);
  const cut = (count: number) =>
    `${framed(body.slice(0, count).join('\n'))}\n\n[Truncated ${body.length - count} lines]`;
  let fewest = 0;
  let most = 0;
  for (let characters = 0; most < body.length - 1; most += 1) {
    characters += body[most]!.length + 1;
    if (characters > limit * MOST_CHARACTERS) break;
  }
  while (fewest < most) {
    const middle = Math.ceil((fewest + most) / 2);
    if (measure.count(cut(middle)) <= limit) fewest = middle;
    else most = middle - 1;
  }
  return cut(fewest);
}

function framed(diff: string): string {
  const text = diff.endsWith('\n') ? diff.slice(0, -1) : diff;
  return `## Git Diff (Staged)\n\n${fenced(text, 'diff')}`;
}

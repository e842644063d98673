import type { Measure } from '../fit/measure.ts';
import type { TextPart } from './extra-parts.ts';
import { fitFiles } from './fit-files.ts';
import { fitPromptParts } from './fit-prompt-parts.ts';
import type { GatheredPart, GatheredParts } from './gather-parts.ts';
import { FILE_CONTEXT_PRIORITY, PROTECTED_KEYS, priorityOrder } from './part-order.ts';
import type { PromptPart } from './prompt.ts';
import { shortenDiff } from './staged-change.ts';

export interface FittedPrompt {
  readonly text: string;
  /** What is in the text of the repository and of the caller: all but what leads it. */
  readonly packed: string;
  readonly parts: readonly PromptPart[];
}

/** Of the room that there is, a change may take no more than this, and no target more than that. */
const DIFF_SHARE = 0.6;
const TARGET_SHARE = 0.9;
/** Less room than this is not worth a search for files. */
const LEAST_ROOM = 50;
/** Texts count a little more together than one by one; a part of one size must not have to go for that. */
const JOINTS = 32;
const SEPARATOR = '\n\n';

/**
 * Puts the parts together inside a limit. What has one size comes first, by the role's order; files that may be shown
 * in part then take the room that is left.
 */
export function fitPrompt(
  leading: readonly TextPart[],
  gathered: GatheredParts,
  roleOrder: readonly string[],
  limit: number,
  measure: Measure,
): FittedPrompt {
  const given = [...leading.map((one) => ({ ...one, files: [] })), ...gathered.parts];
  const needed = measure.count(textOf(given.filter(({ key }) => PROTECTED_KEYS.has(key))));
  const room = Math.max(0, limit - needed);
  const sized = given.map((part) => resize(part, gathered, room, measure));
  const order = priorityOrder(roleOrder, [...FILE_CONTEXT_PRIORITY, ...sized.map(({ key }) => key)]);
  const fixed = fitPromptParts(sized, limit, order, measure);
  const left = limit - measure.count(fixed.text) - JOINTS;
  const elastic = left < LEAST_ROOM ? [] : fitFiles(gathered.candidates, left, measure);
  const all = inOrder([...sized, ...elastic]);
  const fit = fitPromptParts(all, limit, order, measure);
  const packed = all.filter(({ key }) => fit.kept.has(key) && !leading.some((one) => one.key === key));
  const lost = new Set(gathered.candidates.map(({ key }) => key));
  for (const { key } of all) lost.delete(key);
  return {
    text: fit.text,
    packed: textOf(packed),
    parts: [
      ...all.map(({ key, text, files }): PromptPart => {
        const state = PROTECTED_KEYS.has(key) ? 'protected' : fit.kept.has(key) ? 'in' : 'pruned';
        return { key, state, tokens: measure.count(text), files: state === 'pruned' ? [] : files };
      }),
      ...[...lost].map((key): PromptPart => ({ key, state: 'pruned', tokens: 0, files: [] })),
    ],
  };
}

/** A change or targets that would leave no room for anything are shown in part: a piece is better than nothing. */
function resize(part: GatheredPart, gathered: GatheredParts, room: number, measure: Measure): GatheredPart {
  if (part.key === 'git_diff' && part.text.startsWith('## Git Diff (Staged)'))
    return { ...part, text: shortenDiff(part.text, Math.floor(room * DIFF_SHARE), measure) };
  if (part.key !== 'target_file' || measure.count(part.text) <= room * TARGET_SHARE) return part;
  const unshown = part.files.filter(({ form }) => form === null);
  const notices = gathered.targetNotices.join(SEPARATOR);
  const space = Math.floor(room * TARGET_SHARE) - measure.count(SEPARATOR + notices);
  const [smaller] = fitFiles(gathered.targets, space, measure);
  if (smaller === undefined) return part;
  const text = notices === '' ? smaller.text : smaller.text + SEPARATOR + notices;
  return { ...part, text, files: [...smaller.files, ...unshown] };
}

/** Files and the change before what comes after them: the tree, and what the caller added. */
function inOrder(parts: readonly GatheredPart[]): GatheredPart[] {
  const placeOf = ({ key }: GatheredPart) => {
    const place = (FILE_CONTEXT_PRIORITY as readonly string[]).indexOf(key);
    return place < 1 ? -1 : place;
  };
  const isExtra = ({ key }: GatheredPart) =>
    !PROTECTED_KEYS.has(key) && !(FILE_CONTEXT_PRIORITY as readonly string[]).includes(key);
  const own = parts.filter((part) => !isExtra(part));
  return [...own.sort((one, other) => placeOf(one) - placeOf(other)), ...parts.filter(isExtra)];
}

function textOf(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join(SEPARATOR);
}

import type { ItemForm } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { fenced, markHidden, withoutSecrets } from '../../redact/index.ts';
import type { Measure } from '../fit/index.ts';

/** What a part shows. */
export interface Shown {
  readonly text: string;
  readonly files: readonly PromptFile[];
}

/** Something that may go into a prompt under a heading of its own. */
export interface SourcePart {
  readonly key: string;
  /** All of it. */
  readonly whole: Shown;
  /** As much of it as the room holds; null when nothing worth reading fits. */
  readonly shrink: (room: number, measure: Measure) => Shown | null;
}

/** A heading with text below it. */
interface TextSection {
  readonly key: string;
  readonly heading: string;
  readonly body: string;
  /** The label of the fence around the body; null for a body without one. */
  readonly fence: string | null;
  /** Which lines stay when there is no room for all: the first, or the first and the last. */
  readonly keeps: 'start' | 'ends';
  readonly files?: readonly PromptFile[];
}

/** Of what stays, the share of the beginning; the end of a log says most. */
export const HEAD_SHARE = 0.25;
/** More characters than this for a token are rare. A longer text need not be counted to be too long. */
export const MAX_CHARACTERS_PER_UNIT = 8;

/** A part of text that gives up whole lines when the room is small, and says how many. */
export function textPart(section: TextSection): SourcePart {
  const { key, heading, body, fence, files = [] } = section;
  const render = (text: string) => `${heading}\n\n${fence === null ? text : fenced(text, fence)}`;
  return {
    key,
    whole: { text: render(body), files },
    shrink: (room, measure) => {
      const text = fewerLines(section, render, room, measure);
      return text === null ? null : { text, files };
    },
  };
}

/** The largest number up to `most` that fits, when all smaller ones do as well; 0 when none does. */
export function largest(most: number, fits: (count: number) => boolean): number {
  let [fewest, last] = [0, most];
  while (fewest < last) {
    const middle = Math.ceil((fewest + last) / 2);
    if (fits(middle)) fewest = middle;
    else last = middle - 1;
  }
  return fewest;
}

function fewerLines(
  { body, keeps }: TextSection,
  render: (text: string) => string,
  room: number,
  measure: Measure,
): string | null {
  const lines = body.split('\n');
  const cut = (count: number): string => {
    const notice = `[Truncated ${lines.length - count} lines]`;
    const head = keeps === 'start' ? count : Math.ceil(count * HEAD_SHARE);
    if (head === count) return `${render(lines.slice(0, head).join('\n'))}\n\n${notice}`;
    return render([...lines.slice(0, head), notice, ...lines.slice(head - count)].join('\n'));
  };
  const fits = (count: number) => {
    const text = cut(count);
    return text.length <= room * MAX_CHARACTERS_PER_UNIT && measure.count(text) <= room;
  };
  const most = largest(lines.length - 1, fits);
  return most === 0 ? null : cut(most);
}

/** A file as a part shows it. */
export interface PromptFile {
  readonly path: string;
  /** Null when only a line says why it is not shown. */
  readonly form: ItemForm | null;
  /** That line, unless the file is shown in another part. */
  readonly why?: string;
}

/** What became of one part of the prompt. */
export interface PromptPart {
  /** `target_file`, `git_diff`, `test_output`. */
  readonly key: string;
  readonly state: 'protected' | 'in' | 'pruned';
  /** What it costs, or would have cost; of files that are not in, nothing. */
  readonly tokens: number;
  readonly files: readonly PromptFile[];
}

/** A pattern of the role and how many files it stands for here. */
export interface PatternUse {
  readonly pattern: string;
  readonly field: 'include' | 'always_include' | 'exclude' | 'path_restrictions';
  readonly files: number;
}

/** A text for an agent, and how it came about. */
export interface Prompt {
  readonly text: string;
  /** Names the packed content: the same for the same files and sections, whatever the task and the template. */
  readonly packageId: string;
  /** Of the whole text. */
  readonly tokenCount: number;
  readonly tokenBudget: number;
  readonly role: string;
  /** Null when no template had a part in it. */
  readonly template: string | null;
  /** In the order of the text. */
  readonly parts: readonly PromptPart[];
  readonly patterns: readonly PatternUse[];
  readonly diagnostics: readonly Diagnostic[];
}

export type ExtraContext = Readonly<Record<string, string>>;

const KEY = /^[A-Za-z][\w-]{0,63}$/;
/** Lines that could be taken for a part of the prompt itself. */
const LOOKS_LIKE_STRUCTURE = /^ {0,3}(?:#|`{3}|~{3}|---|===)/m;

/** What the caller adds, such as `test_output`, which becomes `## Test Output`. */
export function extraParts(extra: ExtraContext, redact = true): SourcePart[] {
  return Object.entries(extra).map(([key, given]) => {
    if (!KEY.test(key) || PROTECTED_KEYS.has(key)) throw badKey(key);
    const value = markHidden(redact ? withoutSecrets(given) : given).text;
    const fence = LOOKS_LIKE_STRUCTURE.test(value) ? '' : null;
    return textPart({ key, heading: `## ${titleOf(key)}`, body: value, fence, keeps: 'ends' });
  });
}

/** `test_output` to `Test Output`. */
export function titleOf(key: string): string {
  return key
    .replaceAll('_', ' ')
    .replace(/\p{L}+/gu, (run) => run[0]!.toUpperCase() + run.slice(1).toLowerCase());
}

function badKey(key: string): LoadoutError {
  const shown = JSON.stringify(key.slice(0, 80));
  const allowed = `a letter, then up to 63 letters, digits, _ and -, and none of ${[...PROTECTED_KEYS].join(', ')}`;
  return new LoadoutError('bad-extra', `extra context cannot be called ${shown}; allowed is ${allowed}`, {
    subject: key,
  });
}

/** The parts of a prompt that hold files, the most important first: the last one is left out first. */
export const FILE_CONTEXT_PRIORITY = [
  'target_file',
  'git_diff',
  'changed_files',
  'imports',
  'related',
  'files',
  'tree',
] as const;
export type FilePartKey = (typeof FILE_CONTEXT_PRIORITY)[number];

/** Never left out, whatever the budget. */
export const PROTECTED_KEYS: ReadonlySet<string> = new Set(['system_prompt', 'task', 'always_include']);

/** What roles call parts of the whole prompt; null means that it has no place among the files. */
const PRIORITY_KEY_MAP: ReadonlyMap<string, FilePartKey | null> = new Map<string, FilePartKey | null>([
  ...FILE_CONTEXT_PRIORITY.map((key) => [key, key] as const),
  ...['system_prompt', 'task_description', 'task', 'readme', 'docs', 'standards'].map(
    (key) => [key, null] as const,
  ),
]);

/**
 * The order in which parts matter: what the role lists first, then the usual order for the rest. A role that lists
 * nothing of what is there gets the usual order. Keys that are in neither, such as `test_output`, are left out first.
 */
export function priorityOrder(roleOrder: readonly string[], present: Iterable<string>): readonly string[] {
  const keys = new Set(present);
  const listed = roleOrder.flatMap((key) => {
    const mapped = PRIORITY_KEY_MAP.has(key) ? PRIORITY_KEY_MAP.get(key)! : key;
    return mapped !== null && keys.has(mapped) ? [mapped] : [];
  });
  return [...new Set([...listed, ...FILE_CONTEXT_PRIORITY])];
}

import type { ItemForm } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { fenced, markHidden, withoutSecrets } from '../../redact/index.ts';
import type { Measure } from '../fit/index.ts';

// The parts that a prompt is made of, how they shrink, and in which order they matter.

/** A part as the prompt shows it. */
export interface Shown {
  readonly text: string;
  /** The files in the text, and those that it only names. */
  readonly files: readonly PromptFile[];
}

/** Something that may go into a prompt under its own heading. */
export interface SourcePart {
  /** `target_file`, `git_diff`, `test_output`; unique in a prompt. */
  readonly key: string;
  /** The complete part. */
  readonly whole: Shown;
  /** As much of it as fits; null when nothing worth reading fits. */
  readonly shrink: (room: number, measure: Measure) => Shown | null;
}

/** A heading with text below it. */
interface TextSection {
  readonly key: string;
  readonly heading: string;
  readonly body: string;
  /** The label of the fence around the body; null for a body without a fence. */
  readonly fence: string | null;
  /** Which lines stay when not all fit: the first ones, or the first and the last ones. */
  readonly keeps: 'start' | 'ends';
  readonly files?: readonly PromptFile[];
}

/** The share of the beginning in a shortened text. The end of a log says most, so it gets the larger share. */
export const HEAD_SHARE = 0.25;
/** Texts rarely have more characters for a token. A longer text is too long without being counted. */
export const MAX_CHARACTERS_PER_UNIT = 8;

/** A part made of text. When it has to shrink, it drops whole lines and says how many. */
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

/** Binary search: the largest number up to `most` that fits, if all smaller ones fit too; 0 when none fits. */
export function largest(most: number, fits: (count: number) => boolean): number {
  let [fewest, last] = [0, most];
  while (fewest < last) {
    const middle = Math.ceil((fewest + last) / 2);
    if (fits(middle)) fewest = middle;
    else last = middle - 1;
  }
  return fewest;
}

/** The text with as many lines as fit; null when not even one fits. */
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
  /** Null when a line says why the file is not shown. */
  readonly form: ItemForm | null;
  /** That line. Absent if another part shows the file. */
  readonly why?: string;
}

/** The account of one part of the prompt. */
export interface PromptPart {
  /** As in `SourcePart`. */
  readonly key: string;
  /** `protected`: it can never be left out. `pruned`: it is left out for the budget. */
  readonly state: 'protected' | 'in' | 'pruned';
  /** The cost of what is shown; for a pruned part, of all of it. */
  readonly tokens: number;
  readonly files: readonly PromptFile[];
}

/** A pattern of the role, and how many files of this repository it stands for. */
export interface PatternUse {
  readonly pattern: string;
  readonly field: 'include' | 'always_include' | 'exclude' | 'path_restrictions';
  readonly files: number;
}

/** The text for an agent, and an account of how it was made. */
export interface Prompt {
  readonly text: string;
  /** An id of the packed content. It does not depend on the task or the template. */
  readonly packageId: string;
  /** Of the whole text. */
  readonly tokenCount: number;
  readonly tokenBudget: number;
  /** Name of the role. */
  readonly role: string;
  /** Null when no template was used. */
  readonly template: string | null;
  /** In the order of the text. */
  readonly parts: readonly PromptPart[];
  readonly patterns: readonly PatternUse[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Texts that the caller adds, by the key of their part. */
export type ExtraContext = Readonly<Record<string, string>>;

const KEY = /^[A-Za-z][\w-]{0,63}$/;
/** Lines that a reader could mistake for the structure of the prompt. A text with one is fenced. */
const LOOKS_LIKE_STRUCTURE = /^ {0,3}(?:#|`{3}|~{3}|---|===)/m;

/** The parts for the texts of the caller. `test_output` gets the heading `## Test Output`. */
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

/** The parts of a prompt that hold files, the most important first. The last one is left out first. */
export const FILE_CONTEXT_PRIORITY = [
  'target_file',
  'git_diff',
  'changed_files',
  'imports',
  'related',
  'files',
  'tree',
] as const;
/** The key of a part that holds files. */
export type FilePartKey = (typeof FILE_CONTEXT_PRIORITY)[number];

/** These parts are never left out, even if the budget is too small for them. */
export const PROTECTED_KEYS: ReadonlySet<string> = new Set(['system_prompt', 'task', 'always_include']);

/** The names that roles use in `priority_order`; null for parts that hold no files. */
const PRIORITY_KEY_MAP: ReadonlyMap<string, FilePartKey | null> = new Map<string, FilePartKey | null>([
  ...FILE_CONTEXT_PRIORITY.map((key) => [key, key] as const),
  ...['system_prompt', 'task_description', 'task', 'readme', 'docs', 'standards'].map(
    (key) => [key, null] as const,
  ),
]);

/**
 * The order of importance: first the parts that the role lists, then the others in the usual order. Keys that are in
 * neither, such as `test_output`, are not in the result and are left out first.
 */
export function priorityOrder(roleOrder: readonly string[], present: Iterable<string>): readonly string[] {
  const keys = new Set(present);
  const listed = roleOrder.flatMap((key) => {
    const mapped = PRIORITY_KEY_MAP.has(key) ? PRIORITY_KEY_MAP.get(key)! : key;
    return mapped !== null && keys.has(mapped) ? [mapped] : [];
  });
  return [...new Set([...listed, ...FILE_CONTEXT_PRIORITY])];
}

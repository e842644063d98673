import type { ContextItem } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { fenced, inlineText, shownName } from '../../redact/index.ts';
import { type Candidate, type ChosenForm, fitFiles, priceFiles } from '../compose/index.ts';
import type { Measure } from '../fit/index.ts';
import { itemText, shownLines, withoutLastLineEnd } from '../render/index.ts';
import {
  ALWAYS_INCLUDE_CAPPED,
  FILE_TOO_LARGE,
  IN_REQUIRED_CONTEXT,
  MAX_ALWAYS_INCLUDE_BYTES,
  MAX_FILE_BYTES,
  MAX_TOTAL_BYTES,
  type PromptReader,
  TOTAL_TOO_LARGE,
  UNREADABLE,
} from './prompt-limits.ts';
import type { PromptFile, Shown, SourcePart } from './prompt-parts.ts';

// The parts of a prompt that show files: targets, required files, and files that share the rest of the room.

/** Why a target is not shown, in words. */
const REASONS: Readonly<Record<string, string>> = {
  'too-large': `it has more than ${MAX_FILE_BYTES / 1024 / 1024} MB`,
  'over-total': `the files of one prompt have at most ${MAX_TOTAL_BYTES / 1024 / 1024} MB`,
  unreadable: 'it cannot be read as text',
  gone: 'it was not found',
};

/** The warning for a target that is not in the prompt. */
export function notShown(path: string, reason: string): Diagnostic {
  const message = `The target ${path} is not shown: ${reason}`;
  return { code: 'target-not-shown', severity: 'warning', message, path };
}

/** The text of a part, and the files in it. */
export interface FileSection {
  readonly text: string;
  readonly files: readonly PromptFile[];
}

/**
 * The section with the targets. A target that cannot be shown, or that `Required Context` shows already, gets a line
 * that says so.
 */
export function targetSection(
  paths: readonly string[],
  reader: PromptReader,
  /** Why a file may not be shown; null when it may. */
  refusalOf: (path: string) => { readonly notice: string; readonly said: Diagnostic } | null,
  isRequired: (path: string) => boolean,
): FileSection & { readonly notices: readonly string[]; readonly diagnostics: readonly Diagnostic[] } {
  const files: PromptFile[] = [];
  const notices: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const blocks = paths.map((path) => {
    const refusal = isRequired(path) ? null : refusalOf(path);
    const read = isRequired(path) || refusal !== null ? null : reader.read(path);
    if (read?.kind === 'text') {
      files.push({ path, form: 'full' });
      return fileBlock(path, read.source.text);
    }
    const why = refusal?.notice ?? (read === null ? IN_REQUIRED_CONTEXT : NOTICES[read.kind]);
    files.push({ path, form: null, ...(isRequired(path) ? {} : { why }) });
    notices.push(noticeBlock(path, why));
    if (refusal !== null) diagnostics.push(refusal.said);
    else if (read !== null) diagnostics.push(notShown(path, REASONS[read.kind]!));
    return notices.at(-1)!;
  });
  return { text: section('## Target Files', blocks), files, notices, diagnostics };
}

const NOTICES = {
  'too-large': FILE_TOO_LARGE,
  'over-total': TOTAL_TOO_LARGE,
  unreadable: UNREADABLE,
  gone: UNREADABLE,
} as const;

/** The section with the required files. It ignores the budget and has its own limit. Unreadable files are left out. */
export function alwaysSection(paths: readonly string[], reader: PromptReader): FileSection {
  const files: PromptFile[] = [];
  const blocks: string[] = [];
  let left = MAX_ALWAYS_INCLUDE_BYTES;
  let isCapped = false;
  for (const path of paths) {
    const read = reader.read(path);
    if (read.kind === 'unreadable' || read.kind === 'gone') continue;
    const isTooMuch = read.kind === 'over-total' || (read.kind === 'text' && read.bytes > left);
    isCapped ||= isTooMuch;
    if (read.kind === 'text' && !isTooMuch) {
      left -= read.bytes;
      files.push({ path, form: 'full' });
      blocks.push(fileBlock(path, read.source.text));
    } else {
      const why = isTooMuch ? TOTAL_TOO_LARGE : FILE_TOO_LARGE;
      files.push({ path, form: null, why });
      blocks.push(noticeBlock(path, why));
    }
  }
  if (isCapped) blocks.push(ALWAYS_INCLUDE_CAPPED);
  return { text: section('## Required Context', blocks), files };
}

/** A section with files in their chosen forms. Files that are only named come last. */
function itemSection(heading: string, items: readonly ContextItem[]): string {
  const shown = items.filter(({ form }) => form !== 'mention').map(itemBlock);
  const named = items.flatMap(({ form, path }) =>
    form === 'mention' ? [`- ${inlineText(shownName(path))}`] : [],
  );
  return section(heading, named.length === 0 ? shown : [...shown, named.join('\n')]);
}

/** A heading with blocks below it; empty when there are no blocks. */
export function section(heading: string, blocks: readonly string[]): string {
  return blocks.length === 0 ? '' : [heading, ...blocks].join('\n\n');
}

function itemBlock(item: ContextItem): string {
  const { path, form } = item;
  if (form === 'full') return fileBlock(path, item.content);
  const note = form === 'excerpt' ? ` (lines ${shownLines(item)})` : ' (signatures)';
  return `### ${inlineText(shownName(path))}${note}\n\n${fenced(itemText(item, false), '')}`;
}

function fileBlock(path: string, content: string): string {
  return `### ${inlineText(shownName(path))}\n\n${fenced(withoutLastLineEnd(content), '')}`;
}

const noticeBlock = (path: string, notice: string): string =>
  `### ${inlineText(shownName(path))}\n\n${notice}`;

/** A file that may go into a part. The room decides its form. */
export interface PartCandidate {
  /** The key of the part. */
  readonly key: string;
  readonly candidate: Candidate;
}

/** Headings by the key of the part, in the order of the text. */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  ['target_file', '## Target Files'],
  ['changed_files', '## Changed Files'],
  ['imports', '## Imports'],
  ['related', '## Related Files'],
  ['files', '## Files'],
]);
const RENDER = { format: 'markdown', lineNumbers: false } as const;

/** One part for each key that has files. Files are whole if they fit, else excerpts, signatures or names. */
export function fileParts(candidates: readonly PartCandidate[]): SourcePart[] {
  return [...HEADINGS].flatMap(([key, heading]): SourcePart[] => {
    const own = candidates.filter((one) => one.key === key).map(({ candidate }) => candidate);
    if (own.length === 0) return [];
    const blocks = own.map(({ source }) => fileBlock(source.path, source.text));
    const files = own.map(({ source: { path } }) => ({ path, form: 'full' as const }));
    return [
      {
        key,
        whole: { text: section(heading, blocks), files },
        shrink: (room, measure) => fitSection(heading, own, room, measure),
      },
    ];
  });
}

/** Chooses files and their forms together, so that the section fits into the room; null when nothing fits. */
export function fitSection(
  heading: string,
  list: readonly Candidate[],
  room: number,
  measure: Measure,
): Shown | null {
  if (list.length === 0 || room <= 0) return null;
  const priced = priceFiles(list, 'value', { render: RENDER, count: measure.count, limit: room, fill: true });
  const items = (chosen: readonly ChosenForm[]) => chosen.map(({ form }) => form.item);
  const { chosen, text } = fitFiles(priced, 'value', room, {
    textFor: (some) => itemSection(heading, items(some)),
    countText: measure.count,
  });
  if (chosen.length === 0) return null;
  return { text, files: items(chosen).map(({ path, form }) => ({ path, form })) };
}

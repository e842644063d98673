import type { CodeFence, TaskZone } from '../../model/task-analysis.ts';
import { type ClassifiedLine, classifyLines } from './classify-lines.ts';
import { type SymbolChain, symbolChains } from './symbol-mentions.ts';
import { hasWord } from './word-runs.ts';

// Splits a task into passages with zones: title, lead, prose, code, trace and boilerplate. The zone decides how much a
// word or a name counts.

/** In characters. A longer first line is a paragraph, and its first sentence is the title. */
const MAX_TITLE = 250;

/** In characters. The lead ends with its paragraph, or with the line that reaches this. */
const MAX_LEAD = 600;

/** A task, split up. */
interface TaskPassages extends TitleText {
  readonly passages: readonly Passage[];
  readonly addresses: readonly TaskAddress[];
  readonly fences: readonly CodeFence[];
  readonly lines: readonly ClassifiedLine[];
}

/** Reads a task in zones: its title, its first paragraph, further text, and pasted code and logs. */
export function readPassages(text: string): TaskPassages {
  const { lines, fences } = classifyLines(text);
  const titleAt = findTitle(lines);
  const opening = titleAt === -1 ? '' : lines[titleAt]!.text.trim();
  const titleEnd = sentenceEnd(opening);
  const title = readTitle(opening.slice(0, titleEnd));
  const passages: Passage[] = [];
  const addresses: TaskAddress[] = [];

  function add(part: string, zone: TaskZone): void {
    if (part.trim() === '') return;
    const taken = takeAddresses(part);
    for (const url of taken.addresses) addresses.push({ url, zone });
    passages.push({ text: taken.text, zone, chains: symbolChains(taken.text) });
  }

  // The lead is the first paragraph after the title, or the rest of the title's line.
  let leadLength = 0;
  let lead: 'awaited' | 'running' | 'over' = 'awaited';
  lines.forEach((line, at) => {
    add(line.hidden, 'boilerplate');
    if (at === titleAt) {
      add(title.label, 'boilerplate');
      add(title.scope, 'title');
      add(title.title, 'title');
      const rest = opening.slice(titleEnd);
      add(rest.slice(0, MAX_LEAD), 'lead');
      add(rest.slice(MAX_LEAD), 'prose');
      if (rest !== '') lead = 'over';
      return;
    }
    if (lead === 'running' && line.kind !== 'prose') lead = 'over';
    const isLead = line.kind === 'prose' && at > titleAt && lead !== 'over';
    add(line.text, isLead ? 'lead' : zoneOf(line));
    if (!isLead) return;
    leadLength += line.text.length;
    lead = leadLength >= MAX_LEAD ? 'over' : 'running';
  });
  return { ...title, passages, addresses, fences, lines };
}

function zoneOf({ kind }: ClassifiedLine): TaskZone {
  return kind === 'heading' || kind === 'blank' ? 'prose' : kind;
}

/** The first line that says something. If the task begins with a trace, its error is the title. */
function findTitle(lines: readonly ClassifiedLine[]): number {
  const says = ({ kind, text }: ClassifiedLine) =>
    kind !== 'blank' && kind !== 'boilerplate' && hasWord(text);
  const first = lines.findIndex(says);
  if (first === -1) return lines.findIndex(({ text }) => hasWord(text));
  if (lines[first]!.kind === 'prose' || lines[first]!.kind === 'heading') return first;
  if (lines[first]!.kind === 'code') return first;
  let end = first;
  while (end < lines.length && lines[end]!.kind !== 'prose' && lines[end]!.kind !== 'heading') end++;
  const error = lines.slice(first, end).findLastIndex(({ isError }) => isError);
  return error === -1 ? first : first + error;
}

/** The end of the first sentence of a long line, or of a whole short line. */
function sentenceEnd(line: string): number {
  if (line.length <= MAX_TITLE) return line.length;
  const head = line.slice(0, MAX_TITLE);
  const sentence = /^.{20,}?[.!?。！？](?=\s|$|[^\x20-\x7f])/.exec(head);
  if (sentence) return sentence[0].length;
  const space = head.lastIndexOf(' ');
  return space > 0 ? space : MAX_TITLE;
}

const ADDRESS = /\b(?:https?|ftp|wss?|git|ssh):\/\/[^\s"'<>`|^{}]+/g;

/** The end of an address. A closing parenthesis belongs to it only if it was opened in it; punctuation never does. */
function addressEnd(address: string): number {
  const link = address.indexOf('](');
  let end = link === -1 ? address.length : link;
  for (let depth = 0, at = 0; at < end; at++) {
    if (address[at] === '(') depth++;
    else if (address[at] === ')' && --depth < 0) end = at;
  }
  while (end > 0 && '.,;:!?*]\\'.includes(address[end - 1]!)) end--;
  return end;
}

/** Takes the web addresses out of a text. Blanks replace them, so offsets stay the same. */
function takeAddresses(text: string): {
  readonly text: string;
  readonly addresses: readonly string[];
} {
  if (!text.includes('://')) return { text, addresses: [] };
  const addresses: string[] = [];
  const rest = text.replace(ADDRESS, (found) => {
    const end = addressEnd(found);
    addresses.push(found.slice(0, end));
    return ' '.repeat(end) + found.slice(end);
  });
  return { text: rest, addresses };
}

const TAGS = [
  'bug|bugs|bug report|issue|problem|crash|regression|fix|fixed|hotfix|revert|security',
  'feature|feature request|feat|request|enhancement|improvement|proposal|rfc|suggestion|idea|ux',
  'question|help|help wanted|discussion|wip|draft|task|chore|minor|perf|performance|refactor|tests?',
  'docs?|documentation|typo|fehler|错误|问题|バグ',
].join('|');
const TAG = new RegExp(
  `^(?:\\[(?:${TAGS})\\]|【(?:${TAGS})】|\\((?:${TAGS})\\)|(?:${TAGS}))\\s?(?::|：|(?<=[\\])】]))\\s*`,
  'i',
);
const COMMIT_TYPE =
  /^(feat|fix|docs?|tests?|refactor|perf|chore|style|build|ci|revert|feature|bugfix)(?:\(([^()]{1,80})\))?!?:\s+/i;

interface TitleText {
  /** Without Markdown marks, tag and commit type. */
  readonly title: string;
  /** The type of a conventional commit (`fix`) or the tag of an issue (`bug`), lower case; empty if none. */
  readonly label: string;
  /** The scope of a conventional commit: it is not part of the title, but it names a place. */
  readonly scope: string;
}

/** Splits a title line: `fix(store): close the file` has the label `fix` and the scope `store`. */
function readTitle(line: string): TitleText {
  let title = line
    .slice(0, 2_000)
    .trim()
    .replace(/^(?:#{1,6}\s+|>\s?|[-*+]\s+|=+\s+)+/, '')
    .replace(/\s+(?:#{1,6}|=+)$/, '')
    .replace(/^\*\*(.{1,400})\*\*$/, '$1')
    .trim();
  const labels: string[] = [];
  let scope = '';
  // "[Bug]: [docs] fix(x): y" has three labels. More are not expected.
  for (let round = 0; round < 3; round++) {
    const commit = COMMIT_TYPE.exec(title);
    const tag = commit ?? TAG.exec(title);
    if (!tag || tag[0].length === title.length) break;
    labels.push(
      (commit ? commit[1]! : tag[0])
        .toLowerCase()
        .replace(/[^\p{L} ]/gu, '')
        .trim(),
    );
    if (commit?.[2]) scope = commit[2];
    title = title.slice(tag[0].length).trim();
  }
  return { title, label: labels.join(' '), scope };
}

/** A line of the task, or a part of a line, with its zone. */
export interface Passage {
  /** As written, but web addresses are blanked: their words are not those of the task. */
  readonly text: string;
  readonly zone: TaskZone;
  /** The names in the text. */
  readonly chains: readonly SymbolChain[];
}

/** A web address in the task. */
export interface TaskAddress {
  readonly url: string;
  readonly zone: TaskZone;
}

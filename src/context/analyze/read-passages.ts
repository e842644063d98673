import type { CodeFence, TaskZone } from '../../model/task-analysis.ts';
import { type ClassifiedLine, classifyLines } from './classify-lines.ts';
import { type SymbolChain, symbolChains } from './symbol-mentions.ts';
import { hasWord } from './word-runs.ts';

/** A first line that is longer is a paragraph: its first sentence is the title. */
const MAX_TITLE = 250;

/** A lead ends with its paragraph, and with the line that reaches this. */
const MAX_LEAD = 600;

interface TaskPassages extends TitleText {
  readonly passages: readonly Passage[];
  readonly addresses: readonly TaskAddress[];
  readonly fences: readonly CodeFence[];
  readonly lines: readonly ClassifiedLine[];
}

/** Reads a task in zones: what it is called, how it begins, what else it says, what it pastes. */
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

/** The first line that says something; a task that opens with a trace is called by its error. */
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

function sentenceEnd(line: string): number {
  if (line.length <= MAX_TITLE) return line.length;
  const head = line.slice(0, MAX_TITLE);
  const sentence = /^.{20,}?[.!?。！？](?=\s|$|[^\x20-\x7f])/.exec(head);
  if (sentence) return sentence[0].length;
  const space = head.lastIndexOf(' ');
  return space > 0 ? space : MAX_TITLE;
}

const ADDRESS = /\b(?:https?|ftp|wss?|git|ssh):\/\/[^\s"'<>`|^{}]+/g;

/** A parenthesis belongs to an address only if it was opened in there; punctuation at the end never does. */
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

/** Takes the addresses out of a text; what stays has the same length. */
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

/** Takes a title line apart: `fix(store): close the file` is about `store`, and says what to do by itself. */
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
  // "[Bug]: [docs] fix(x): y" has three; more are no tags
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

/** A line of the task, or the part of one that is in one zone. */
export interface Passage {
  /** As written, but addresses of the web are blanked: their words are not the task's. */
  readonly text: string;
  readonly zone: TaskZone;
  /** The names in the text. */
  readonly chains: readonly SymbolChain[];
}

/** An address of the web that the task holds. */
export interface TaskAddress {
  readonly url: string;
  readonly zone: TaskZone;
}

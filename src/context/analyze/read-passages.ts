import type { CodeFence, TaskZone } from '../../model/task-analysis.ts';
import type { ClassifiedLine } from './classified-line.ts';
import { classifyLines } from './classify-lines.ts';
import type { Passage, TaskAddress } from './passage.ts';
import { symbolChains } from './symbol-chains.ts';
import { readTitle, type TitleText } from './title-text.ts';
import { takeAddresses } from './web-address.ts';
import { hasWord } from './word-runs.ts';

/** A first line that is longer is a paragraph: its first sentence is the title. */
const LONGEST_TITLE = 250;

/** A lead ends with its paragraph, and with the line that reaches this. */
const LONGEST_LEAD = 600;

export interface TaskPassages extends TitleText {
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
      add(rest.slice(0, LONGEST_LEAD), 'lead');
      add(rest.slice(LONGEST_LEAD), 'prose');
      if (rest !== '') lead = 'over';
      return;
    }
    if (lead === 'running' && line.kind !== 'prose') lead = 'over';
    const isLead = line.kind === 'prose' && at > titleAt && lead !== 'over';
    add(line.text, isLead ? 'lead' : zoneOf(line));
    if (!isLead) return;
    leadLength += line.text.length;
    lead = leadLength >= LONGEST_LEAD ? 'over' : 'running';
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
  if (line.length <= LONGEST_TITLE) return line.length;
  const head = line.slice(0, LONGEST_TITLE);
  const sentence = /^.{20,}?[.!?。！？](?=\s|$|[^\x20-\x7f])/.exec(head);
  if (sentence) return sentence[0].length;
  const space = head.lastIndexOf(' ');
  return space > 0 ? space : LONGEST_TITLE;
}

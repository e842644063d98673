import { fenced } from '../../redact/fence.ts';
import type { Measure } from '../fit/measure.ts';
import type { PromptFile } from './prompt.ts';

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
export interface TextSection {
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

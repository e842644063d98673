import { cutToCharacters } from '../context/fit/cut-text.ts';
import { fenced } from '../redact/fence.ts';
import { inlineText } from '../redact/inline-text.ts';
import { markHidden } from '../redact/mark-hidden.ts';
import { firstCharacters, lastCharacters } from './selectors/character-cuts.ts';

/** A piece of a pack that can be written in any length. */
export interface PackSnippet {
  readonly id: string;
  /** Of a tool; the others are the agent's own. */
  readonly isResult: boolean;
  /** In so many characters at most, everything included; empty when that is too little to say anything. */
  readonly write: (limit: number) => string;
}

/** A part of a tool result, as a selector gave it. */
export interface Excerpt {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  /** How it was taken and from how much, for the heading. */
  readonly label: string;
  readonly isWhole: boolean;
  /** Which end stays when it has to become shorter. */
  readonly keeps: 'start' | 'end';
}

const CUT = ' […]';
/** Less of a text says nothing. */
const MIN_SIZE = 16;

/** A heading and plain text of the agent's own, such as its mission. */
export function plainSnippet(id: string, heading: string, text: string): PackSnippet {
  const whole = `### ${heading}\n${markHidden(text.trim()).text}`;
  const least = heading.length + '### \n'.length + MIN_SIZE + CUT.length;
  return {
    id,
    isResult: false,
    write(limit) {
      if (whole.length <= limit) return whole;
      return limit < least ? '' : cutToCharacters(whole, limit, CUT);
    },
  };
}

/** A heading and foreign text behind a fence that nothing inside can close. */
export function excerptSnippet({ id, tool, text, label, isWhole, keeps }: Excerpt): PackSnippet {
  const cut = keeps === 'start' ? firstCharacters : lastCharacters;
  const writeWith = (shown: string) => {
    const share = isWhole && shown.length === text.length ? 'whole' : label;
    return `### ${inlineText(`${tool} ${id} (${share})`)}\n${fenced(shown, '')}`;
  };
  return {
    id,
    isResult: true,
    write(limit) {
      let shown = cut(text, limit);
      for (;;) {
        const written = writeWith(shown);
        if (written.length <= limit) return written;
        if (shown === '') return '';
        // hidden characters grow when they are marked, so there may be more over than there is
        const room = Math.max(shown.length - (written.length - limit), Math.floor(shown.length / 2));
        shown = cut(shown, room);
        if (shown.length < Math.min(MIN_SIZE, text.length)) return '';
      }
    },
  };
}

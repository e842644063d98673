// The recall block: the state that it is built from, its snippets, and how they are fitted into the caps of a
// policy.

import {
  type ChosenPart,
  type CountTokens,
  cutToCharacters,
  type FitReceipt,
  fitRendered,
} from '../context/fit/index.ts';
import { fenced, inlineText, markHidden } from '../redact/index.ts';
import {
  type ArgumentKinds,
  ifGiven,
  listOf,
  objectWith,
  RECORD,
  TEXT,
  TEXTS,
} from '../schema/check-arguments.ts';
import type { HistoryMessage } from './message-shapes.ts';
import type { ContextPolicy } from './policy/context-policy.ts';
import { firstCharacters, lastCharacters } from './selectors/apply-selector.ts';
import { SELECTION, type Selection } from './selectors/selection.ts';
import type { ToolResultHandle } from './tool-result-store.ts';

/** The plan of an agent. */
export interface PlanState {
  readonly current?: string;
  readonly done?: readonly string[];
  readonly open?: readonly string[];
}

/** Everything that a recall block is built from. Each part may be missing. */
export interface SessionState {
  readonly mission?: string;
  readonly plan?: PlanState;
  /** Short facts by name, such as the branch or the last failing test. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The history: its handles say which results belong to this session, the last mention counting. */
  readonly messages?: readonly HistoryMessage[];
  /** Results to choose from; without them those of the messages, and without messages all of the store. */
  readonly results?: readonly ToolResultHandle[];
  /** Results that were asked for by id, each with its own selector. They come before the others. */
  readonly requests?: readonly { readonly id: string; readonly selection: Selection | string }[];
}

/** All parts of a plan may be missing. */
const PLAN = { current: ifGiven(TEXT), done: ifGiven(TEXTS), open: ifGiven(TEXTS) };

/** The kinds of the arguments of `build`. */
export const STATE_KINDS: ArgumentKinds<SessionState> = {
  mission: TEXT,
  plan: objectWith('a plan with current, a text, and done and open, lists of texts', PLAN),
  facts: RECORD,
  messages: listOf(RECORD, 'messages'),
  results: listOf(objectWith('a handle of a store', { id: TEXT, tool: TEXT, preview: TEXT }), 'results'),
  requests: listOf(objectWith('{ id, selection }', { id: TEXT, selection: SELECTION }), 'requests'),
};

/** The first line of every recall block. Agents read it and tests look for it, so its words stay as they are. */
export const RECALL_HEADER = '## CONTEXT PACK (BUDGETED)';
/** Between the header and the snippets. */
const SEPARATOR = '\n\n';
/** A heading, a fence and a few words. */
const SMALLEST_CUT = 64;
/** Rounds of cutting until a block fits its budget in tokens. */
const MAX_ROUNDS = 12;

/** The finished text and the fate of each snippet. */
interface FittedBlock {
  readonly text: string;
  readonly receipts: readonly FitReceipt[];
}

/** Fits snippets, the most important first, into all caps of a policy, measured on the finished text. */
export function fitSnippets(
  snippets: readonly RecallSnippet[],
  policy: ContextPolicy,
  count: CountTokens,
): FittedBlock {
  const { maxTotalChars, maxTotalTokens } = policy;
  let limit = maxTotalChars ?? Number.MAX_SAFE_INTEGER;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fitted = fitCharacters(snippets, policy, limit);
    const tokens = maxTotalTokens === null || fitted.text === '' ? 0 : count(fitted.text);
    if (maxTotalTokens === null || tokens <= maxTotalTokens) return fitted;
    // texts are cut in characters; tokens follow closely enough to get there in a few rounds
    limit = Math.floor(fitted.text.length * Math.min(0.97, maxTotalTokens / tokens));
  }
  return fitCharacters(snippets, policy, 0);
}

/** One round: fits snippets into a number of characters. */
function fitCharacters(
  snippets: readonly RecallSnippet[],
  policy: ContextPolicy,
  limit: number,
): FittedBlock {
  const { maxCharsPerItem } = policy;
  const maxItems = policy.maxItems + snippets.filter(({ isResult }) => !isResult).length;
  const whole = snippets.map(({ write }) => write(maxCharsPerItem));
  const textOf = ({ index, cut, cost }: ChosenPart) => (cut ? snippets[index]!.write(cost) : whole[index]!);
  const fit = fitRendered({
    parts: snippets.map(({ id }, at) => ({
      id,
      priority: -at,
      forms: whole[at] === '' ? [] : [{ name: 'excerpt', cost: whole[at]!.length }],
    })),
    limit,
    strategy: { kind: 'latest-first', maxItems, maxPerItem: maxCharsPerItem },
    partOverhead: SEPARATOR.length,
    smallestCut: SMALLEST_CUT,
    render: (chosen) => [RECALL_HEADER, ...chosen.map(textOf).filter((text) => text !== '')].join(SEPARATOR),
    count: (text) => text.length,
  });
  // a header over nothing says nothing
  const text = fit.text === RECALL_HEADER ? '' : fit.text;
  return { text, receipts: fit.receipts };
}

/** A piece of a recall block that can be written in any length. */
export interface RecallSnippet {
  readonly id: string;
  /** Of a tool; the others are the agent's own. */
  readonly isResult: boolean;
  /** Writes it in at most this many characters, heading included; empty when there is too little room. */
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
export function plainSnippet(id: string, heading: string, text: string): RecallSnippet {
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

/** A heading, and foreign text in a fence that nothing inside can close. */
export function excerptSnippet({ id, tool, text, label, isWhole, keeps }: Excerpt): RecallSnippet {
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

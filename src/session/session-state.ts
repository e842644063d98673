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
import { SELECTION, type Selection } from './selectors/selection.ts';
import type { ToolResultHandle } from './tool-result-store.ts';

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

const PLAN = { current: ifGiven(TEXT), done: ifGiven(TEXTS), open: ifGiven(TEXTS) };

/** What `build` takes. */
export const STATE_KINDS: ArgumentKinds<SessionState> = {
  mission: TEXT,
  plan: objectWith('a plan with current, a text, and done and open, lists of texts', PLAN),
  facts: RECORD,
  messages: listOf(RECORD, 'messages'),
  results: listOf(objectWith('a handle of a store', { id: TEXT, tool: TEXT, preview: TEXT }), 'results'),
  requests: listOf(objectWith('{ id, selection }', { id: TEXT, selection: SELECTION }), 'requests'),
};

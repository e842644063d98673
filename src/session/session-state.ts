import type { HistoryMessage } from './message-shapes.ts';
import type { Selection } from './selectors/selection.ts';
import type { ToolResultHandle } from './tool-result.ts';

export interface PlanState {
  readonly current?: string;
  readonly done?: readonly string[];
  readonly open?: readonly string[];
}

/** Everything a pack is built from. All of it may be missing. */
export interface SessionState {
  readonly mission?: string;
  readonly plan?: PlanState;
  /** Short facts by name, such as the branch or the last failing test. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The history: its handles say which results belong to this session, the last mention counting. */
  readonly messages?: readonly HistoryMessage[];
  /** Results to choose from; without them those of the messages, and without messages all of the store. */
  readonly results?: readonly ToolResultHandle[];
  /** Results that somebody asked for, in another form than the policy says; they come before the others. */
  readonly requests?: readonly { readonly id: string; readonly selection: Selection | string }[];
}

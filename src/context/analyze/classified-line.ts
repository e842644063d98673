import type { ReadFrame } from './read-frame.ts';

/** What a line is by itself and by its neighbours, before title and lead are chosen. */
export type LineKind = 'blank' | 'heading' | 'prose' | 'code' | 'trace' | 'boilerplate';

export interface ClassifiedLine {
  /** Without comments of the markup. */
  readonly text: string;
  readonly kind: LineKind;
  /** Comments of the markup, which readers of the task do not see. */
  readonly hidden: string;
  readonly frame: ReadFrame | null;
  /** It is the message of an error. */
  readonly isError: boolean;
  /** It ends the stack trace above and goes on with its cause, or with what came of it. */
  readonly isTraceHeader: boolean;
}

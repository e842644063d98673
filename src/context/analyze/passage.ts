import type { TaskZone } from '../../model/task-analysis.ts';
import type { SymbolChain } from './symbol-chains.ts';

/** A line of the task, or the part of one that stands in one zone. */
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

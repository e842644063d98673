/** The job of a child process. */
export interface Work {
  readonly kind: 'run' | 'show';
  readonly name: string;
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  /** In the place of generated inputs; base64. */
  readonly input: string | null;
  /** An empty folder. */
  readonly home: string;
}

export interface Fault {
  readonly kind: 'error' | 'unhandled' | 'leak' | 'hang' | 'exit';
  readonly detail: string;
}

export type ChildMessage =
  | { readonly kind: 'begin'; readonly at: number }
  | { readonly kind: 'fault'; readonly at: number; readonly fault: Fault; readonly input: string }
  | { readonly kind: 'input'; readonly input: string }
  | {
      readonly kind: 'done';
      readonly results: number;
      /** Inputs that ended in a documented error. */
      readonly errors: number;
      readonly slowestMs: number;
      readonly slowestAt: number;
    };

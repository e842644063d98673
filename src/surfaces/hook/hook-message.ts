import type { Environment } from '../../platform/environment.ts';

/** What the thread that answers is told at its start. */
export interface HookJob {
  readonly event: string;
  readonly client: string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly cacheDirectory: string;
  /** For the whole answer. */
  readonly timeoutMs: number;
}

/** What it says: which repository the call is about, whether a server is wanted, then the answer or why there is none. */
export type HookMessage =
  | { readonly kind: 'repository'; readonly root: string }
  | { readonly kind: 'server' }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: string };

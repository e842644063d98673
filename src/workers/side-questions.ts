import type { Diagnostic } from '../model/diagnostic.ts';
import { pause } from '../platform/pause.ts';
import type { RunWorld } from './run-request.ts';

/** An agent that is done before its own `--version` is rare. */
const VERSION_PATIENCE_MS = 1_000;

/** An agent that has just got its prompt is still starting: it has the processor to itself for so long. */
const QUIET_MS = 250;

/** What only the record and the next run need: done while the agent works, so that nobody waits for it. */
export interface SideQuestions {
  /** The agent has begun. Called again it does nothing. */
  begin(): void;
  answers(): Promise<{ cliVersion: string | null; unseen: readonly Diagnostic[] }>;
  /** Ends whoever has not answered. */
  stop(): void;
}

export function sideQuestions(
  agent: ReturnType<RunWorld['findAgent']>,
  findUnseen: () => Promise<readonly Diagnostic[]>,
  settleIndex: () => void,
): SideQuestions {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let version: Promise<string | null> | null = null;
  let unseen: Promise<readonly Diagnostic[]> | null = null;
  const ask = (): void => {
    version ??= agent.readVersion(controller.signal).catch(() => null);
    unseen ??= findUnseen();
    // whoever waits for it hears of it
    unseen.catch(() => {});
  };
  return {
    begin() {
      timer ??= setTimeout(() => {
        ask();
        settleIndex();
      }, QUIET_MS);
    },
    async answers() {
      // without an agent there is nothing to know
      if (timer === null) return { cliVersion: null, unseen: [] };
      clearTimeout(timer);
      ask();
      return { cliVersion: await within(version!, VERSION_PATIENCE_MS), unseen: await unseen! };
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      controller.abort();
    },
  };
}

async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | null> {
  const stop = new AbortController();
  try {
    return await Promise.race([promise, pause(milliseconds, stop.signal).then(() => null)]);
  } finally {
    stop.abort();
  }
}

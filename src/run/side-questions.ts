import type { Diagnostic } from '../model/diagnostic.ts';
import { pause } from '../platform/pause.ts';
import type { RunWorld } from './run-request.ts';

/** An agent that is done before its own `--version` is rare. */
const VERSION_PATIENCE_MS = 1_000;

/** What only the record needs: found out while the agent works, so that nobody waits for it. */
export interface SideQuestions {
  /** Called again it does nothing. */
  ask(): void;
  answers(): Promise<{ cliVersion: string | null; unseen: readonly Diagnostic[] }>;
  /** Ends whoever has not answered. */
  stop(): void;
}

export function sideQuestions(
  agent: ReturnType<RunWorld['findAgent']>,
  findUnseen: () => Promise<readonly Diagnostic[]>,
): SideQuestions {
  const controller = new AbortController();
  let version: Promise<string | null> | null = null;
  let unseen: Promise<readonly Diagnostic[]> | null = null;
  return {
    ask() {
      version ??= agent.readVersion(controller.signal).catch(() => null);
      unseen ??= findUnseen();
    },
    async answers() {
      return {
        cliVersion: version === null ? null : await within(version, VERSION_PATIENCE_MS),
        unseen: (await unseen) ?? [],
      };
    },
    stop: () => controller.abort(),
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

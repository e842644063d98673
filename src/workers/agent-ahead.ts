import type { RunContext } from './run-context.ts';
import { type StartedAgent, startAgent } from './start-agent.ts';

/** The agent of an attempt, which may be started before its prompt is there. */
export interface AgentAhead {
  /** Starts it, unless it would have to wait for its prompt for long. */
  start(expectedMs: number): void;
  /** For its prompt. Null when it was not started, or had to wait for too long and is gone. */
  take(): Promise<StartedAgent | null>;
  dismiss(): Promise<void>;
}

/**
 * An agent needs a few hundred milliseconds until it reads anything, and a prompt from an open index takes less: both
 * happen at the same time.
 */
export function createAhead(context: RunContext): AgentAhead {
  const patienceMs = context.agent.promptPatienceMs;
  let agent: StartedAgent | null = null;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const dismiss = async (): Promise<void> => {
    clearTimeout(timer);
    await agent?.dismiss();
  };
  return {
    start: (expectedMs) => {
      if (agent !== null || 2 * expectedMs > patienceMs) return;
      try {
        agent = startAgent(context, null);
      } catch {
        // comes up again when it is started for its prompt
        return;
      }
      timer = setTimeout(() => {
        isLate = true;
        dismiss().catch(() => {});
      }, patienceMs);
    },
    take: async () => {
      clearTimeout(timer);
      if (!isLate) return agent;
      await dismiss();
      return null;
    },
    dismiss,
  };
}

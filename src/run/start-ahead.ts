import type { RunContext } from './run-context.ts';
import { type StartedAgent, startAgent } from './start-agent.ts';

/** An agent that was started before its prompt was there. */
export interface AgentAhead {
  /** The agent, for its prompt; null when that took too long, and the agent is gone. */
  take(): Promise<StartedAgent | null>;
  dismiss(): Promise<void>;
}

/** Gemini CLI takes it for an empty prompt when nothing has come half a second after it began to read. */
export const LONGEST_WAIT_MS = 300;

/**
 * Starts the agent of the first attempt in its finished work tree while the prompt is still being built: an agent needs
 * a few hundred milliseconds until it reads anything. Null when there is nothing to wait for, or nobody knows how long.
 */
export async function startAhead(context: RunContext): Promise<AgentAhead | null> {
  if (context.earlyPrompt === null || !(await isPending(context.earlyPrompt))) return null;
  const agent = startAgent(context, null);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    agent.dismiss().catch(() => {});
  }, LONGEST_WAIT_MS);
  return {
    take: async () => {
      clearTimeout(timer);
      if (!isLate) return agent;
      await agent.dismiss();
      return null;
    },
    dismiss: async () => {
      clearTimeout(timer);
      await agent.dismiss();
    },
  };
}

/** Whether it is not settled yet, nor by what has arrived and only was not read. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(() => false);
  const later = new Promise<boolean>((resolve) => setImmediate(resolve, true));
  return Promise.race([settled, later]);
}

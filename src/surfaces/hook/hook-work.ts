import { wallClockMs } from '../../platform/clock.ts';
import { answerHook } from './answer-hook.ts';
import { readClient } from './hook-call.ts';
import type { HookJob, HookMessage } from './hook-message.ts';

/** Where the input comes from and where the answer goes. */
export interface HookPort {
  onInput(use: (text: string) => void): void;
  say(message: HookMessage): void;
}

/** Answers the one input that comes in. Mostly in a thread of its own: whatever it does, somebody watches. */
export function workOn({ onInput, say }: HookPort, job: HookJob, keepCode: (nowMs: number) => void): void {
  onInput(async (text: string) => {
    try {
      const answer = await answerHook(job.event, parse(text), {
        client: readClient(job.client),
        environment: job.environment,
        cwd: job.cwd,
        timeoutMs: job.timeoutMs,
        // whoever has waited long enough ends this thread
        signal: new AbortController().signal,
        onRepository: (root) => say({ kind: 'repository', root }),
        wantServer: () => say({ kind: 'server' }),
      });
      // before the answer: whoever has it may go, and nothing is written behind the back of the caller
      keepCode(wallClockMs());
      say({ kind: 'answer', text: JSON.stringify(answer) });
    } catch (error) {
      say({ kind: 'problem', problem: error instanceof Error ? error.message : String(error) });
    }
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the input is not JSON (${text.length} characters)`);
  }
}

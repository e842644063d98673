import type { MessagePort } from 'node:worker_threads';
import { readJson } from '../../model/read-json.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { answerHook } from './answer-hook.ts';
import { readClient } from './hook-call.ts';
import type { HookJob, HookMessage } from './hook-process.ts';

/** Answers the one input that the port delivers. */
export function workOn(port: MessagePort, job: HookJob, keepCode: (nowMs: number) => void): void {
  const say = (message: HookMessage): void => port.postMessage(message);
  port.once('message', async (text: string) => {
    try {
      const answer = await answerHook(job.event, parse(text), {
        client: readClient(job.client),
        environment: job.environment,
        cwd: job.cwd,
        timeoutMs: job.timeoutMs,
        // The hook process ends this thread when the time is up.
        signal: new AbortController().signal,
        onRepository: (root) => say({ kind: 'repository', root }),
        wantServer: () => say({ kind: 'server' }),
      });
      // Keep the code before the answer goes out: the process may end as soon as it has the answer.
      keepCode(wallClockMs());
      say({ kind: 'answer', text: JSON.stringify(answer) });
    } catch (error) {
      say({ kind: 'problem', problem: error instanceof Error ? error.message : String(error) });
    }
  });
}

function parse(text: string): unknown {
  const read = readJson(text);
  if (read.kind === 'json') return read.value;
  throw new Error(`the input is not JSON (${text.length} characters)`);
}

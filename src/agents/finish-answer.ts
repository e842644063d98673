import type { AgentAnswer, AgentFailure, AgentOutput, AgentUsage } from './agent-adapter.ts';
import { failureOfExit, failureOfKind } from './agent-failure.ts';

export interface ReadAnswer {
  readonly text: string;
  readonly structured?: unknown;
  readonly sessionId: string | null;
  readonly usage: AgentUsage | null;
  readonly costUsd?: number | null;
  readonly error: AgentFailure | null;
  readonly warnings?: readonly string[];
}

/**
 * The last word on every answer, the same for all CLIs: what the CLI reports as an error is one; else a signal or
 * an exit code that is not 0; else an answer that says nothing, because claude and gemini leave with exit code 0
 * and empty output when they are interrupted.
 */
export function finishAnswer(answer: ReadAnswer, output: AgentOutput): AgentAnswer {
  const structured = answer.structured;
  const isEmpty = answer.text.trim() === '' && structured === undefined;
  let error = answer.error;
  if (!error && (output.signal !== null || output.exitCode !== 0)) error = failureOfExit(output);
  if (!error && isEmpty) error = failureOfKind('empty', 'ended without an answer');
  return {
    ok: error === null,
    // What a failed CLI prints in the place of an answer is its error.
    text: error === null ? answer.text : '',
    structured: error === null ? structured : undefined,
    sessionId: answer.sessionId,
    usage: answer.usage,
    costUsd: answer.costUsd ?? null,
    error,
    warnings: answer.warnings ?? [],
  };
}

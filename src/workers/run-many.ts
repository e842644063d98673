import { LoadoutError } from '../model/loadout-error.ts';
import type { StoredEvent } from './run-event.ts';
import type { RunResult } from './run-record.ts';
import type { RunEnvironment, RunRequest } from './run-request.ts';
import { runRole } from './run-role.ts';

/** A run that could not be begun. */
export interface RefusedRun {
  readonly task: string;
  readonly error: LoadoutError;
}

export interface RunManyOptions {
  /** Runs at the same time; 1 unless told. */
  readonly parallel?: number;
  readonly onEvent?: (event: StoredEvent) => void;
}

/** Runs each request in a work tree of its own, in the given order, some at a time. One that fails stops no other. */
export async function runMany(
  requests: readonly RunRequest[],
  environment: RunEnvironment,
  { parallel = 1, onEvent }: RunManyOptions = {},
): Promise<readonly (RunResult | RefusedRun)[]> {
  const results: (RunResult | RefusedRun)[] = [];
  const waiting = [...requests.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, request] = next;
      results[at] = await runOne(request, environment, onEvent);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, parallel) }, work));
  return results;
}

async function runOne(
  request: RunRequest,
  environment: RunEnvironment,
  onEvent: RunManyOptions['onEvent'],
): Promise<RunResult | RefusedRun> {
  if (request.signal?.aborted)
    return { task: request.task, error: new LoadoutError('cancelled', 'it was cancelled before it began') };
  const handle = runRole(request, environment);
  try {
    for await (const event of handle.events) onEvent?.(event);
    return await handle.result;
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return { task: request.task, error };
  }
}

import type { Iteration } from './prepare-iteration.ts';
import { showNodePath } from './tree/select-leaf.ts';

/** Writes `meta.json`: what an iteration was about, what it was given and how it ended. */
export function writeMeta(
  { log, runState, selected, prompt, started }: Iteration,
  base: string,
  ended: number,
  end: Readonly<Record<string, unknown>>,
): void {
  const meta = {
    run_id: runState.run_id,
    iter: runState.next_iter,
    node: selected.node.id,
    path: showNodePath(selected.path),
    ...end,
    base,
    prompt_id: prompt.promptId,
    prompt_bytes: prompt.pack.bytes,
    package_id: prompt.packageId,
    dropped: prompt.pack.dropped,
    truncated: prompt.pack.truncated,
    started_at: new Date(started).toISOString(),
    ended_at: new Date(ended).toISOString(),
  };
  log.write('meta.json', `${JSON.stringify(meta, null, 2)}\n`);
}

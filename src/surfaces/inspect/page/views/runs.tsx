// The view Runs: runs with attempts, gates, patch and cost, their events as they come, and the loop's task tree.

import { useEffect, useState } from 'preact/hooks';
import type { RunDetail, RunsData } from '../../runs-data.ts';
import { ask, useData } from '../ask.ts';
import type { View } from '../view.ts';

const number = (value: number): string => Math.round(value).toLocaleString('en-US');
const time = (at: string): string => at.slice(0, 19).replace('T', ' ');
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const cost = (usd: number | null): string => (usd === null ? 'not reported' : `$${usd.toFixed(2)}`);

/** How often an open run is asked for new events. */
const POLL_MS = 2_000;

export const runsView: View = { id: 'runs', title: 'Runs', component: Runs };

function Runs() {
  const { value, problem } = useData<RunsData>('runs', {});
  const [opened, open] = useState<string | null>(null);
  if (problem !== undefined) return <p role="alert">{problem}</p>;
  if (value === undefined) return <p aria-busy="true">Reading runs…</p>;
  const { runs, runsLeftOut, totals, loop } = value;
  return (
    <div class="runs">
      {runs.length === 0 ? (
        <p>There is no run yet: loadout run ROLE "task"</p>
      ) : (
        <p>
          {number(totals.runs)} runs, {number(totals.passed)} passed; gates {number(totals.gates.passed)}{' '}
          passed, {number(totals.gates.failed)} failed; cost {cost(totals.costUsd)}
        </p>
      )}
      <ul>
        {runs.map((run) => (
          <li key={run.run}>
            <button
              type="button"
              aria-expanded={opened === run.run}
              onClick={() => open(opened === run.run ? null : run.run)}
            >
              {time(run.startedAt)} {run.outcome} {run.role} ({run.cli}), {number(run.attempts.length)}{' '}
              attempts, {seconds(run.durationMs)}, {cost(run.costUsd)}: {run.task.slice(0, 200)}
            </button>
            {opened === run.run ? <Run key={run.run} id={run.run} /> : null}
          </li>
        ))}
      </ul>
      {runsLeftOut > 0 ? <p>{number(runsLeftOut)} older runs are not listed.</p> : null}
      <Loop loop={loop} />
    </div>
  );
}

/** One run. While it goes on, it is asked for the events that are new. */
function Run({ id }: { readonly id: string }) {
  const [detail, setDetail] = useState<RunDetail | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isClosed = false;
    const read = async (known: RunDetail | null): Promise<void> => {
      try {
        const fresh = await ask<RunDetail>('runs', { run: id, after: known?.next ?? 0 });
        if (isClosed) return;
        const whole = { ...fresh, events: [...(known?.events ?? []), ...fresh.events] };
        setDetail(whole);
        setProblem('');
        if (!whole.isEnded) timer = setTimeout(() => void read(whole), POLL_MS);
      } catch (error) {
        if (isClosed) return;
        setProblem(error instanceof Error ? error.message : String(error));
        timer = setTimeout(() => void read(known), POLL_MS);
      }
    };
    void read(null);
    return () => {
      isClosed = true;
      clearTimeout(timer);
    };
  }, [id]);
  return (
    <div class="run">
      {problem === '' ? null : <p role="alert">{problem}</p>}
      {detail === null ? null : <Detail detail={detail} />}
    </div>
  );
}

function Detail({ detail }: { readonly detail: RunDetail }) {
  const { facts, events, isEnded, message, changedFiles, patch, files } = detail;
  return (
    <>
      <p role="status">
        {isEnded ? `Ended: ${facts?.outcome ?? ''} ${message}` : 'No end yet; new events appear here.'}
      </p>
      <ol>
        {(facts?.attempts ?? []).map((one) => (
          <li key={one.attempt}>
            Attempt {one.attempt} ({one.mode}): {one.outcome} {one.reason ?? ''}, {seconds(one.durationMs)},{' '}
            {cost(one.costUsd)}
            <ul>
              {one.gates.map((gate, at) => (
                <li key={at}>
                  {gate.passed ? 'passed' : 'failed'}: {gate.gate} ({seconds(gate.durationMs)})
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <details>
        <summary>{number(events.length)} events</summary>
        <ol class="events" aria-live="polite">
          {events.map((event) => (
            <li key={event.seq}>
              {time(event.at)} {event.type}
            </li>
          ))}
        </ol>
      </details>
      {patch === null ? null : (
        <details>
          <summary>Patch of {number(changedFiles.length)} files</summary>
          <pre>{patch.content}</pre>
          {patch.bytesLeftOut > 0 ? <p>{number(patch.bytesLeftOut)} more bytes are in the file.</p> : null}
        </details>
      )}
      <p>Files: {files.join(', ')}</p>
    </>
  );
}

function Loop({ loop }: Pick<RunsData, 'loop'>) {
  if (loop === null) return null;
  if ('problem' in loop) return <p role="alert">{loop.problem}</p>;
  return (
    <section aria-labelledby="loop">
      <h2 id="loop">Loop</h2>
      <p>
        {loop.outcome}, {loop.activity}: {number(loop.leaves.passed)} of {number(loop.leaves.all)} leaves pass
      </p>
      <ul class="tree" aria-label="Task tree">
        {loop.nodes.map((node) => (
          <li key={node.id} class={`state-${node.state} depth-${Math.min(node.depth, 9)}`}>
            <strong>{node.state}</strong> {node.id}: {node.title}
            {node.attempts > 0 ? ` (${node.attempts} of ${node.maxAttempts} attempts)` : ''}
          </li>
        ))}
      </ul>
      {loop.failure === '' ? null : <pre>{loop.failure}</pre>}
      <ol reversed>
        {loop.iterations.map((one) => (
          <li key={`${one.run}/${one.iteration}`}>
            {one.iteration} {one.node} {one.outcome === '' ? 'no result' : one.outcome}, gates {one.guard}:{' '}
            {one.summary}
            <small> {one.files.join(', ')}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}

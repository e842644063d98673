/** The view Runs: runs with attempts, gates, patch and cost, their events as they come, and the loop's task tree. */
import { useEffect, useState } from 'preact/hooks';
import type { RunDetail, RunsData } from '../../runs-data.ts';
import { questionKey } from '../../static-file.ts';
import { ask, shownAnswers, useData } from '../ask.ts';
import { Figures, Status, shownNumber, shownTime, Table, useSome } from '../parts.tsx';
import { isStatic, run as opened } from '../state.ts';
import type { View } from '../view.ts';
import { Loop } from './loop.tsx';

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const cost = (usd: number | null): string => (usd === null ? 'not reported' : `$${usd.toFixed(2)}`);

/** How often new events and new runs are asked for, in milliseconds. */
const AGAIN_MS = 1_000;
const LIST_AGAIN_MS = 3_000;

function Runs() {
  const asked = useData<RunsData>('runs', {}, LIST_AGAIN_MS);
  const { value } = asked;
  return (
    <>
      {value ? null : <Status asked={asked} />}
      {value ? <Shown data={value} /> : null}
    </>
  );
}

function Shown({ data: { runs, runsLeftOut, totals, loop } }: { data: RunsData }) {
  const { some, more } = useSome(runs, 30);
  return (
    <div class="runs">
      {runs.length === 0 ? (
        <p class="empty">There is no run yet. Start one: loadout run "task" --role implementer</p>
      ) : (
        <Figures
          rows={[
            ['runs', shownNumber(totals.runs)],
            ['passed', shownNumber(totals.passed)],
            ['gates passed', shownNumber(totals.gates.passed)],
            ['gates failed', shownNumber(totals.gates.failed)],
            ['cost', cost(totals.costUsd)],
          ]}
        />
      )}
      <ul class="list">
        {some.map((run) => (
          <li key={run.run} class="card">
            <button
              type="button"
              class="run-row"
              aria-expanded={opened.value === run.run}
              onClick={() => {
                opened.value = opened.value === run.run ? '' : run.run;
              }}
            >
              <span class={`state ${run.outcome}`}>{run.outcome}</span>
              <span class="grow">{run.task.slice(0, 200)}</span>
              <span class="note">
                {run.role} ({run.cli}), {shownNumber(run.attempts.length)}{' '}
                {run.attempts.length === 1 ? 'attempt' : 'attempts'}, {seconds(run.durationMs)},{' '}
                {cost(run.costUsd)}, {shownTime(run.startedAt)}
              </span>
            </button>
            {opened.value === run.run ? <Run key={run.run} id={run.run} /> : null}
          </li>
        ))}
      </ul>
      {more}
      {runsLeftOut > 0 ? <p class="note">{shownNumber(runsLeftOut)} older runs are not listed.</p> : null}
      <Loop loop={loop} />
    </div>
  );
}

/** One run. While it goes on, it is asked for the events that are new. */
function Run({ id }: { readonly id: string }) {
  const [detail, setDetail] = useState<RunDetail | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const key = questionKey('runs', { run: id, after: 0 });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isClosed = false;
    const read = async (known: RunDetail | null): Promise<void> => {
      let whole = known;
      try {
        const fresh = await ask<RunDetail>('runs', { run: id, after: known?.next ?? 0 });
        if (isClosed) return;
        whole = { ...fresh, events: [...(known?.events ?? []), ...fresh.events] };
        shownAnswers.set(key, whole);
        setDetail(whole);
        setProblem('');
      } catch (error) {
        if (isClosed) return;
        setProblem((error as Error).message);
      }
      if (whole?.isEnded !== true && !isStatic) timer = setTimeout(() => void read(whole), AGAIN_MS);
    };
    void read(null);
    return () => {
      isClosed = true;
      clearTimeout(timer);
      shownAnswers.delete(key);
    };
  }, [id]);
  return (
    <div class="run">
      {problem === '' ? null : (
        <p role="alert" class="status problem">
          {problem}
        </p>
      )}
      {detail === null ? null : <Detail detail={detail} />}
    </div>
  );
}

/** The last events are shown; a run may have thousands. */
const MAX_EVENTS = 200;

function Detail({ detail }: { readonly detail: RunDetail }) {
  const { facts, events, isEnded, message, changedFiles, patch, files } = detail;
  return (
    <>
      <p role="status">
        {isEnded ? `Ended: ${facts?.outcome ?? ''}. ${message}` : 'It goes on; new events appear here.'}
      </p>
      <Table head={['attempt', 'outcome', 'gates', 'time', 'cost']}>
        {(facts?.attempts ?? []).map((one) => (
          <tr key={one.attempt}>
            <th scope="row">
              {one.attempt} ({one.mode})
            </th>
            <td>
              <span class={`state ${one.outcome}`}>{one.outcome}</span> {one.reason ?? ''}
            </td>
            <td>
              {one.gates.map((gate, at) => (
                <div key={at}>
                  <span class={`state ${gate.passed ? 'passed' : 'failed'}`}>
                    {gate.passed ? 'passed' : 'failed'}
                  </span>{' '}
                  {gate.gate} ({seconds(gate.durationMs)})
                </div>
              ))}
            </td>
            <td>{seconds(one.durationMs)}</td>
            <td>{cost(one.costUsd)}</td>
          </tr>
        ))}
      </Table>
      <details open={!isEnded}>
        <summary>{shownNumber(events.length)} events</summary>
        <ol class="events" aria-live="polite" start={Math.max(1, events.length - MAX_EVENTS + 1)}>
          {events.slice(-MAX_EVENTS).map((event) => (
            <li key={event.seq}>
              {shownTime(event.at).slice(11)} <strong>{event.type}</strong> {factsOf(event)}
            </li>
          ))}
        </ol>
      </details>
      {patch === null ? null : (
        <details>
          <summary>Patch of {shownNumber(changedFiles.length)} files</summary>
          <Patch content={patch.content} />
          {patch.bytesLeftOut > 0 ? (
            <p class="note">{shownNumber(patch.bytesLeftOut)} more bytes are in the file.</p>
          ) : null}
        </details>
      )}
      <p class="note">Files of the run: {files.join(', ')}</p>
    </>
  );
}

/** What an event says beside its type, as far as it is short. */
function factsOf(event: RunDetail['events'][number]): string {
  const known = new Set(['type', 'seq', 'at', 'run', 'task']);
  return Object.entries(event)
    .filter(([name, value]) => !known.has(name) && /^(?:string|number|boolean)$/.test(typeof value))
    .map(([name, value]) => `${name} ${String(value).slice(0, 120)}`)
    .join(', ');
}

/** A larger patch is shown without colours. */
const MAX_COLOURED = 3_000;

function Patch({ content }: { readonly content: string }) {
  const lines = content.split('\n');
  if (lines.length > MAX_COLOURED) return <pre class="patch">{content}</pre>;
  const kind = (line: string) =>
    /^(?:\+\+\+|---|diff |index )/.test(line)
      ? 'head'
      : line[0] === '+'
        ? 'added'
        : line[0] === '-'
          ? 'gone'
          : '';
  return (
    <pre class="patch">
      {lines.map((line, at) => (
        <span key={at} class={kind(line)}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}

export const runsView: View = { id: 'runs', title: 'Runs and loop', component: Runs };

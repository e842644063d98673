/** The view Package: what the agent gets for a task, and a person's changes to it. */
import { useMemo } from 'preact/hooks';
import type { PackageAnswer, PackageQuery } from '../../package-data.ts';
import { useData } from '../ask.ts';
import { Status, shownNumber, TaskBox } from '../parts.tsx';
import { copy, download, said } from '../save.ts';
import { budget, excluded, file, forms, isStatic, pinned, task } from '../state.ts';
import { Treemap } from '../treemap.tsx';
import type { View } from '../view.ts';
import { FilePanel } from './package-file.tsx';
import { FileTable } from './package-table.tsx';

function Package() {
  const query = {
    task: task.value,
    budget: budget.value,
    pinned: pinned.value,
    excluded: excluded.value,
    forms: forms.value,
  } as PackageQuery;
  const asked = useData<PackageAnswer>('package', query.task === '' ? null : query);
  const answer = asked.value;
  return (
    <>
      <TaskBox isAboutBudget />
      <Status asked={asked} />
      {answer ? (
        <div class={asked.isLoading ? 'waiting' : ''}>
          <Answer answer={answer} query={query} />
        </div>
      ) : null}
      {query.task === '' ? (
        <p class="empty">
          Say what the agent is to do. You then see which files and lines it gets, why, and what each costs.
        </p>
      ) : null}
    </>
  );
}

function Answer({ answer, query }: { answer: PackageAnswer; query: PackageQuery }) {
  const inside = answer.files.filter(({ form }) => form !== null);
  const boxes = useMemo(
    () =>
      inside.map(({ path, tokens, form, why }) => {
        const title = `${path}: ${form}, ${shownNumber(tokens)} tokens, ${why}`;
        return { path, size: tokens, kind: form ?? '', title };
      }),
    [answer],
  );
  const open = (path: string) => {
    file.value = path;
  };
  return (
    <>
      <p class="total">
        <strong>{shownNumber(answer.tokens)}</strong> of {shownNumber(answer.budget)} tokens in{' '}
        {inside.length} files <small>built in {answer.milliseconds} ms</small>
      </p>
      <Budget answer={answer} />
      <Treemap
        label={`${inside.length} files by folder, sized by tokens; the table lists them`}
        height={260}
        boxes={boxes}
        onPick={open}
      />
      <div class="actions">
        <button type="button" onClick={() => copy(answer.text)}>
          Copy
        </button>
        <button type="button" onClick={() => download('package.md', 'text/markdown', answer.text)}>
          Download
        </button>
        <button type="button" onClick={() => copy(answer.command)}>
          Copy as a command line
        </button>
        <Reset query={query} />
        <span role="status">{said}</span>
      </div>
      <code class="command">{answer.command}</code>
      <div class={file.value === '' ? 'columns' : 'columns two'}>
        <FileTable answer={answer} query={query} />
        {file.value === '' ? null : <FilePanel query={query} path={file.value} />}
      </div>
      <details class="notes" hidden={answer.notes.length === 0}>
        <summary>{answer.notes.length} notes</summary>
        <ul>
          {answer.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Reset({ query: { pinned: pins, excluded: out, forms: shapes } }: { query: PackageQuery }) {
  const changes = pins.length + out.length + Object.keys(shapes).length;
  if (changes === 0 || isStatic) return null;
  return (
    <button
      type="button"
      onClick={() => {
        pinned.value = [];
        excluded.value = [];
        forms.value = {};
      }}
    >
      Undo {changes === 1 ? 'your change' : `your ${changes} changes`}
    </button>
  );
}

/** What takes how many tokens of the budget. */
function Budget({ answer }: { answer: PackageAnswer }) {
  const shapes = ['full', 'excerpt', 'signatures', 'mention'] as const;
  const parts = [
    ...shapes.map((form) => ({
      kind: form as string,
      tokens: answer.files.reduce((sum, one) => sum + (one.form === form ? one.tokens : 0), 0),
    })),
    { kind: 'other parts', tokens: answer.parts.reduce((sum, { tokens }) => sum + tokens, 0) },
  ].filter(({ tokens }) => tokens > 0);
  let start = 0;
  return (
    <>
      <svg class="budget" viewBox={`0 0 ${answer.budget} 10`} preserveAspectRatio="none" aria-hidden="true">
        <rect width={answer.budget} height="10" class="rail" />
        {parts.map(({ kind, tokens }) => {
          const x = start;
          start += tokens;
          return <rect key={kind} x={x} width={tokens} height="10" class={`box ${kind.split(' ')[0]}`} />;
        })}
      </svg>
      <ul class="legend">
        {parts.map(({ kind, tokens }) => (
          <li key={kind} class={kind.split(' ')[0]}>
            {kind} <strong>{shownNumber(tokens)}</strong>
          </li>
        ))}
        <li class="free">
          free <strong>{shownNumber(Math.max(0, answer.budget - answer.tokens))}</strong>
        </li>
        <li class="parts">
          <details>
            <summary>Other parts</summary>
            {answer.parts.map(({ name, tokens }) => (
              <div key={name}>
                {name} <strong>{shownNumber(tokens)}</strong>
              </div>
            ))}
          </details>
        </li>
      </ul>
    </>
  );
}

export const packageView: View = { id: 'package', title: 'Package', component: Package };

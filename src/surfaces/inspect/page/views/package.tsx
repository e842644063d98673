/** The view Package: what the agent gets for a task, and a person's changes to it. */
import { signal } from '@preact/signals';
import type { FileAnswer, PackageAnswer, PackageFile, PackageQuery } from '../../package-data.ts';
import { isStatic, task, useData } from '../ask.ts';
import { Status, shownNumber, Treemap } from '../parts.tsx';
import type { View } from '../view.ts';

const budget = signal(0);
const pinned = signal<readonly string[]>([]);
const excluded = signal<readonly string[]>([]);
const shown = signal<string | null>(null);
const said = signal('');

const without = (paths: readonly string[], path: string) => paths.filter((one) => one !== path);

function toggle(list: typeof pinned, other: typeof pinned, path: string) {
  list.value = list.value.includes(path) ? without(list.value, path) : [...list.value, path];
  other.value = without(other.value, path);
}

function Package() {
  const query: PackageQuery = {
    task: task.value,
    budget: budget.value,
    pinned: pinned.value,
    excluded: excluded.value,
  };
  const asked = useData<PackageAnswer>('package', query.task === '' ? null : query);
  const answer = asked.value;
  return (
    <>
      <form
        class="task"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          task.value = String(data.get('task')).trim();
          budget.value = Number(data.get('budget')) || 0;
        }}
      >
        <label>
          Task <input name="task" value={task.value} required disabled={isStatic} />
        </label>
        <label>
          Budget{' '}
          <input
            name="budget"
            type="number"
            min="500"
            max="2000000"
            placeholder="setting"
            disabled={isStatic}
          />
        </label>
        <button type="submit" disabled={isStatic}>
          Build
        </button>
      </form>
      <Status asked={asked} />
      {answer ? <Answer answer={answer} query={query} /> : null}
    </>
  );
}

function Answer({ answer, query }: { answer: PackageAnswer; query: PackageQuery }) {
  const inside = answer.files.filter(({ form }) => form !== null);
  const gone = query.excluded.filter((path) => !answer.files.some((file) => file.path === path));
  const rows: readonly PackageFile[] = [
    ...answer.files,
    ...gone.map((path) => ({ path, form: null, lines: 0, tokens: 0, score: 0, why: 'excluded by you' })),
  ];
  return (
    <>
      <p class="total">
        <strong>{shownNumber(answer.tokens)}</strong> of {shownNumber(answer.budget)} tokens, {inside.length}{' '}
        files, {answer.milliseconds} ms
      </p>
      <Budget answer={answer} />
      <Treemap
        label={`${inside.length} files by folder, sized by tokens; the table lists them`}
        boxes={inside.map(({ path, tokens, form, why }) => {
          return {
            path,
            size: tokens,
            kind: form ?? '',
            title: `${path}: ${form}, ${tokens} tokens, ${why}`,
          };
        })}
        onPick={(path) => {
          shown.value = path;
        }}
      />
      <p class="actions">
        <button type="button" onClick={() => copy(answer.text)}>
          Copy
        </button>
        <button type="button" onClick={() => download(answer.text)}>
          Download
        </button>
        <button type="button" onClick={() => copy(answer.command)}>
          Copy as a command line
        </button>
        <span role="status">{said}</span>
      </p>
      <code class="command">{answer.command}</code>
      <section class="wide" tabIndex={0} aria-label="Files of the package">
        <table>
          <caption>Files in the package, then those that are left out</caption>
          <thead>
            <tr>
              {['File', 'Form', 'Lines', 'Tokens', 'Score', 'Why', 'Change'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((file) => (
              <Row key={file.path} file={file} query={query} />
            ))}
          </tbody>
        </table>
      </section>
      {answer.notes.map((note) => (
        <p key={note} class="status">
          {note}
        </p>
      ))}
      {shown.value === null || isStatic ? null : <File query={query} path={shown.value} />}
    </>
  );
}

function Row({ file, query }: { file: PackageFile; query: PackageQuery }) {
  const { path, form } = file;
  return (
    <tr class={form === null ? 'out' : ''}>
      <th scope="row">
        <button
          type="button"
          class="link"
          onClick={() => {
            shown.value = path;
          }}
        >
          {path}
        </button>
      </th>
      <td>{form ?? 'left out'}</td>
      <td class="number">{file.lines || ''}</td>
      <td class="number">{shownNumber(file.tokens)}</td>
      <td class="number">{file.score.toFixed(2)}</td>
      <td>{file.why}</td>
      <td class="change">
        <button
          type="button"
          disabled={isStatic}
          aria-pressed={query.pinned.includes(path)}
          aria-label={`Pin ${path}`}
          onClick={() => toggle(pinned, excluded, path)}
        >
          Pin
        </button>
        <button
          type="button"
          disabled={isStatic}
          aria-pressed={query.excluded.includes(path)}
          aria-label={`Exclude ${path}`}
          onClick={() => toggle(excluded, pinned, path)}
        >
          Exclude
        </button>
      </td>
    </tr>
  );
}

/** What takes how many tokens of the budget. */
function Budget({ answer }: { answer: PackageAnswer }) {
  const forms = ['full', 'excerpt', 'signatures', 'mention'] as const;
  const parts = [
    ...forms.map((form) => ({
      kind: form as string,
      tokens: answer.files.reduce((sum, file) => sum + (file.form === form ? file.tokens : 0), 0),
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
      <p class="legend">
        {parts.map(({ kind, tokens }) => (
          <span key={kind} class={kind.split(' ')[0]}>
            {kind} {shownNumber(tokens)}
          </span>
        ))}
      </p>
    </>
  );
}

function File({ query, path }: { query: PackageQuery; path: string }) {
  const asked = useData<FileAnswer>('file', { ...query, path });
  const answer = asked.value;
  return (
    <section aria-label="File">
      <h2>
        {path}{' '}
        <button
          type="button"
          onClick={() => {
            shown.value = null;
          }}
        >
          Close
        </button>
      </h2>
      <Status asked={asked} />
      <section class="file" tabIndex={0} aria-label={`Lines of ${path}; lines that are left out are pale`}>
        <pre>
          {answer?.path === path
            ? answer.lines.map(({ number, text, isKept }) => (
                <span
                  key={number}
                  class={isKept ? 'kept' : 'left'}
                >{`${String(number).padStart(5)}  ${text}\n`}</span>
              ))
            : null}
        </pre>
      </section>
    </section>
  );
}

function copy(text: string) {
  navigator.clipboard.writeText(text).then(
    () => {
      said.value = 'Copied.';
    },
    () => {
      said.value = 'The browser did not allow it; use Download.';
    },
  );
}

function download(text: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  link.download = 'package.md';
  link.click();
  URL.revokeObjectURL(link.href);
}

export const packageView: View = { id: 'package', title: 'Package', component: Package };

/** The table of the view Package: each file with its form, lines, cost, score and reason, and the ways to change it. */
import { useState } from 'preact/hooks';
import type { PackageAnswer, PackageFile, PackageQuery } from '../../package-data.ts';
import { shownNumber, useSome } from '../parts.tsx';
import { excluded, explain, forms, isStatic, file as opened, pinned } from '../state.ts';

const FORMS = ['full', 'excerpt', 'signatures', 'mention'] as const;
const HEAD = ['File', 'Form', 'Lines', 'Tokens', 'Score', 'Why', 'Change'];
/** Rows at once. */
const STEP = 60;

const without = (paths: readonly string[], path: string) => paths.filter((one) => one !== path);

function toggle(list: typeof pinned, other: typeof pinned, path: string) {
  other.value = without(other.value, path);
  list.value = list.value.includes(path) ? without(list.value, path) : [...list.value, path];
}

function choose(path: string, form: string) {
  const { [path]: _, ...others } = forms.value;
  forms.value = form === '' ? others : { ...others, [path]: form };
}

export function FileTable({ answer, query }: { answer: PackageAnswer; query: PackageQuery }) {
  const [filter, setFilter] = useState('');
  const listed = new Set(answer.files.map(({ path }) => path));
  // What a person has changed stays in the table, so that it can be changed back.
  const gone = [...new Set([...query.excluded, ...query.pinned, ...Object.keys(query.forms)])];
  const rows: readonly PackageFile[] = [
    ...gone
      .filter((path) => !listed.has(path))
      .map((path) => {
        const why = query.excluded.includes(path) ? 'excluded by you' : 'not possible';
        return { path, form: null, lines: 0, tokens: 0, score: 0, why };
      }),
    ...answer.files,
  ].filter(({ path }) => path.toLowerCase().includes(filter.toLowerCase()));
  const { some, more } = useSome(rows, STEP);
  return (
    <section class="wide" tabIndex={0} aria-label="Files of the package">
      <div class="above">
        <label>
          Filter
          <input
            type="search"
            value={filter}
            placeholder="part of a path"
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
        <AddFile />
      </div>
      <table class="files">
        <caption>Files in the package, then those that are left out; what you took out comes first</caption>
        <thead>
          <tr>
            {HEAD.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {some.map((one) => (
            <Row
              key={one.path}
              file={one}
              query={query}
              isImpossible={answer.impossible.includes(one.path)}
            />
          ))}
        </tbody>
      </table>
      {more}
    </section>
  );
}

/** Pins a file that the task does not bring along. */
function AddFile() {
  if (isStatic) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const path = String(new FormData(event.currentTarget).get('path')).trim();
        if (path !== '' && !pinned.value.includes(path)) toggle(pinned, excluded, path);
        event.currentTarget.reset();
      }}
    >
      <label>
        Add a file
        <input name="path" placeholder="path in the repository" />
      </label>
      <button type="submit">Pin</button>
    </form>
  );
}

interface RowProps {
  readonly file: PackageFile;
  readonly query: PackageQuery;
  readonly isImpossible: boolean;
}

function Row({ file, query, isImpossible }: RowProps) {
  const { path, form } = file;
  const wanted = query.forms[path] ?? '';
  const isChanged = query.pinned.includes(path) || query.excluded.includes(path) || wanted !== '';
  return (
    <tr class={`${form === null ? 'out' : ''} ${isChanged ? 'changed' : ''}`}>
      <th scope="row">
        <button
          type="button"
          class="link"
          onClick={() => {
            opened.value = path;
          }}
        >
          {path}
        </button>
      </th>
      <td>
        <span class={`form ${form ?? ''}`}>{form ?? 'left out'}</span>
      </td>
      <td class="number">{file.lines || ''}</td>
      <td class="number">{shownNumber(file.tokens)}</td>
      <td class="number">{file.score.toFixed(2)}</td>
      <td class="why">
        {file.why}
        {isImpossible ? <em> The file has no form {wanted}.</em> : null}
      </td>
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
        <select
          disabled={isStatic}
          aria-label={`Form of ${path}`}
          value={wanted}
          onChange={(event) => choose(path, event.currentTarget.value)}
        >
          <option value="">as it fits</option>
          {FORMS.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <button type="button" disabled={isStatic} aria-label={`Why ${path}`} onClick={() => explain(path)}>
          Why
        </button>
      </td>
    </tr>
  );
}

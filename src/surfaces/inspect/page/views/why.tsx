/** The view Why: what speaks for one file, and why it is not higher. */
import { signal } from '@preact/signals';
import type { WhyAnswer } from '../../why-data.ts';
import { isStatic, task, useData } from '../ask.ts';
import { Bars, Status } from '../parts.tsx';
import type { View } from '../view.ts';

const path = signal('');

function Why() {
  const asked = useData<WhyAnswer>('why', task.value === '' ? null : { task: task.value, path: path.value });
  const answer = asked.value;
  return (
    <>
      <form
        class="task"
        onSubmit={(event) => {
          event.preventDefault();
          path.value = String(new FormData(event.currentTarget).get('path')).trim();
        }}
      >
        <label>
          File{' '}
          <input
            name="path"
            value={path.value}
            placeholder="path, or empty for the first file"
            disabled={isStatic}
          />
        </label>
        <button type="submit" disabled={isStatic}>
          Explain
        </button>
      </form>
      {task.value === '' ? <p class="status">Give a task in the view Package first.</p> : null}
      <Status asked={asked} />
      {answer ? <Explained answer={answer} /> : null}
    </>
  );
}

function Explained({ answer }: { answer: WhyAnswer }) {
  const place =
    answer.place === null
      ? `not among the first ${answer.ranked}`
      : `place ${answer.place}, score ${answer.score.toFixed(2)}`;
  return (
    <>
      <h2>
        {answer.path}: {place}
      </h2>
      <List title="What it lacks" items={answer.lacks} />
      <h3>Signals, against the best file of each</h3>
      <Bars
        rows={answer.signals.map(({ name, value, best }) => ({
          name,
          value,
          of: best,
          note: `${value.toFixed(2)} of ${best.toFixed(2)}`,
        }))}
      />
      <List title="Reasons" items={answer.reasons} />
      <List
        title="Names"
        items={answer.symbols.map(
          ({ name, line, words }) =>
            `${name}, line ${line}${words.length > 0 ? `: ${words.join(', ')}` : ''}`,
        )}
      />
      <List title="Commits" items={answer.commits.map(({ id, subject }) => `${id} ${subject}`)} />
      <Neighbours answer={answer} />
    </>
  );
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </>
  );
}

const RADIUS = 170;

/** The file in the middle and its neighbours on a circle; the list beside it has their names. */
function Neighbours({ answer: { path: name, neighbours } }: { answer: WhyAnswer }) {
  if (neighbours.length === 0) return null;
  return (
    <>
      <h3>Neighbours</h3>
      <div class="ego">
        <svg
          viewBox="-200 -200 400 400"
          role="img"
          aria-label={`${name} and ${neighbours.length} neighbours; the list has their names`}
        >
          {neighbours.map(({ path: other, edge }, at) => {
            const angle = (2 * Math.PI * at) / neighbours.length;
            const [x, y] = [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)];
            return (
              <g key={`${edge} ${other}`}>
                <title>{`${edge}: ${other}`}</title>
                <line x2={x} y2={y} class={edge.split(' ')[0]} />
                <circle cx={x} cy={y} r="6" />
              </g>
            );
          })}
          <circle r="12" class="middle" />
        </svg>
        <ul>
          {neighbours.map(({ path: other, edge }) => (
            <li key={`${edge} ${other}`}>
              {edge}{' '}
              <button
                type="button"
                class="link"
                disabled={isStatic}
                onClick={() => {
                  path.value = other;
                }}
              >
                {other}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

export const whyView: View = { id: 'why', title: 'Why', component: Why };

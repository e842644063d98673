/** Pieces that several views are made of. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Asked } from './ask.ts';
import { budget, isStatic, task } from './state.ts';

export const shownNumber = (value: number): string => Math.round(value).toLocaleString('en-US');
export const shownTime = (at: string): string => at.slice(0, 19).replace('T', ' ');
/** Null is what nobody could tell. */
export const shownShare = (value: number | null): string =>
  value === null ? 'not known' : `${Math.round(value * 100)} %`;

/** A problem or a wait, beside the last answer. */
export function Status({ asked: { problem, isLoading } }: { asked: Asked<unknown> }) {
  if (problem !== undefined)
    return (
      <p class="status problem" role="alert">
        {problem}
      </p>
    );
  return (
    <p class="status" role="status">
      {isLoading ? 'Working…' : ''}
    </p>
  );
}

/** The box with the task, which the views Package and Why share. */
export function TaskBox({ isAboutBudget = false }: { isAboutBudget?: boolean }) {
  const words = useDraft(task.value);
  const tokens = useDraft(budget.value === 0 ? '' : String(budget.value));
  return (
    <form
      class="task"
      onSubmit={(event) => {
        event.preventDefault();
        task.value = words.value.trim();
        budget.value = Number(tokens.value) || 0;
      }}
    >
      <label class="grow">
        Task
        <input name="task" {...words} required disabled={isStatic} placeholder="What is the agent to do?" />
      </label>
      {isAboutBudget ? (
        <label>
          Budget
          <input
            name="budget"
            type="number"
            min="500"
            max="2000000"
            step="1"
            {...tokens}
            placeholder="as set"
            disabled={isStatic}
          />
        </label>
      ) : null}
      <button type="submit" class="main" disabled={isStatic}>
        {isAboutBudget ? 'Build' : 'Rank'}
      </button>
    </form>
  );
}

/** What is being typed. It stays until another value is known: neither an answer nor a late effect takes it away. */
export function useDraft(known: string) {
  const [draft, setDraft] = useState({ known, value: known });
  return {
    value: draft.known === known ? draft.value : known,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setDraft({ known, value: currentTarget.value }),
  };
}

/** A few numbers that say how things are. */
export function Figures({ rows }: { rows: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="figures">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A bar of shares; each has a name and a number beside it. */
export function Bars({
  rows,
}: {
  rows: readonly { name: string; value: number; of: number; note: string }[];
}) {
  return (
    <ul class="bars">
      {rows.map(({ name, value, of, note }) => (
        <li key={name}>
          <span class="name">{name}</span>
          <Bar share={of > 0 ? value / of : 0} />
          <span class="note">{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** A number beside it says the same. */
export function Bar({ share }: { share: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="8" class="rail" />
      <rect width={Math.max(0, Math.min(1, share)) * 100} height="8" class="fill" />
    </svg>
  );
}

export function Table({ head, children }: { head: readonly string[]; children: ComponentChildren }) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Rows of which only some are shown at once: thousands would make the page slow. */
export function useSome<Row>(rows: readonly Row[], step: number) {
  const [count, setCount] = useState(step);
  const left = rows.length - count;
  const more =
    left > 0 ? (
      <p>
        <button type="button" onClick={() => setCount(count + step)}>
          Show {shownNumber(Math.min(step, left))} more of {shownNumber(left)}
        </button>
      </p>
    ) : null;
  return { some: rows.slice(0, count), more };
}

/** The width of an element, so that text in a drawing has the size of other text. */
export function useWidth(usual: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(usual);
  useLayoutEffect(() => {
    const element = ref.current!;
    const measure = () => setWidth(Math.max(200, Math.floor(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

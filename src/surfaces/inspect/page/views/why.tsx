/** The view Why: what speaks for one file, and why it is not higher. */
import type { WhyAnswer } from '../../why-data.ts';
import { useData } from '../ask.ts';
import { Bars, Status, shownNumber, TaskBox, useDraft } from '../parts.tsx';
import { isStatic, path, task } from '../state.ts';
import type { View } from '../view.ts';
import { Neighbours } from './neighbours.tsx';

function Why() {
  const asked = useData<WhyAnswer>('why', task.value === '' ? null : { task: task.value, path: path.value });
  const answer = asked.value;
  const draft = useDraft(path.value);
  return (
    <>
      <TaskBox />
      <form
        class="task"
        onSubmit={(event) => {
          event.preventDefault();
          path.value = draft.value.trim();
        }}
      >
        <label class="grow">
          File
          <input
            name="path"
            {...draft}
            placeholder="any path of the repository; empty for the first file of the ranking"
            disabled={isStatic}
          />
        </label>
        <button type="submit" class="main" disabled={isStatic}>
          Explain
        </button>
      </form>
      <Status asked={asked} />
      {task.value === '' ? <p class="empty">Say what the agent is to do first.</p> : null}
      {answer && answer.path !== '' ? (
        <div class={asked.isLoading ? 'waiting' : ''}>
          <Explained answer={answer} />
        </div>
      ) : null}
    </>
  );
}

function Explained({ answer }: { answer: WhyAnswer }) {
  const { place, ranked, score, bestScore } = answer;
  return (
    <>
      <h2 class="path">{answer.path}</h2>
      <p class="total">
        {place === null ? (
          <strong>Not ranked</strong>
        ) : (
          <>
            <strong>Place {shownNumber(place)}</strong> of {shownNumber(ranked)} files with a score; it has{' '}
            {score.toFixed(2)}, the first has {bestScore.toFixed(2)}
          </>
        )}
      </p>
      <div class="cards">
        <section>
          <h3>Signals</h3>
          <p class="note">Each against the file that has the most of it.</p>
          <Bars
            rows={answer.signals.map(({ name, value, best }) => ({
              name,
              value,
              of: best,
              note: `${value.toFixed(2)} of ${best.toFixed(2)}`,
            }))}
          />
        </section>
        <List title={place === 1 ? 'What it lacks' : 'Why not higher'} items={answer.lacks} none="Nothing." />
        <List title="Reasons" items={answer.reasons} none="None." />
        <List
          title="Names"
          items={answer.symbols.map(
            ({ name, line, words }) =>
              `${name}, line ${line}${words.length > 0 ? `: ${words.join(', ')}` : ''}`,
          )}
          none="No definition in it fits the task."
        />
        <List
          title="Commits"
          items={answer.commits.map(({ id, subject }) => `${id} ${subject}`)}
          none="No commit of the history has changed it."
        />
      </div>
      <Neighbours answer={answer} />
    </>
  );
}

function List({ title, items, none }: { title: string; items: readonly string[]; none: string }) {
  return (
    <section>
      <h3>{title}</h3>
      {items.length === 0 ? (
        <p class="note">{none}</p>
      ) : (
        <ul>
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

export const whyView: View = { id: 'why', title: 'Why', component: Why };

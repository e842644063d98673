/** The lines of one file beside the table: what the agent gets of it, and what is left out. */
import { useState } from 'preact/hooks';
import type { FileAnswer } from '../../file-data.ts';
import type { PackageQuery } from '../../package-data.ts';
import { useData } from '../ask.ts';
import { CodeView } from '../code-view.tsx';
import { Status, shownNumber } from '../parts.tsx';
import { file } from '../state.ts';

export function FilePanel({ query, path }: { query: PackageQuery; path: string }) {
  const asked = useData<FileAnswer>('file', { ...query, path });
  const [isKeptOnly, setKeptOnly] = useState(false);
  const answer = asked.value?.path === path ? asked.value : undefined;
  const keptLines = answer?.kept.reduce((sum, [first, last]) => sum + last - first + 1, 0) ?? 0;
  const isCut = isKeptOnly && keptLines > 0;
  const numbers = answer ? answer.lines.map((_, at) => at + 1) : [];
  return (
    <section class="panel" aria-label="File">
      <div class="title">
        <h2>{path}</h2>
        <button
          type="button"
          onClick={() => {
            file.value = '';
          }}
        >
          Close
        </button>
      </div>
      <Status asked={asked} />
      {answer ? (
        <>
          <p class="note">
            {answer.form === null
              ? 'The agent gets nothing of it. '
              : `${answer.form}: the agent gets ${shownNumber(keptLines)} of ${shownNumber(answer.lines.length)} lines. `}
            {keptLines > 0 ? (
              <label class="inline">
                <input
                  type="checkbox"
                  checked={isKeptOnly}
                  onChange={(event) => setKeptOnly(event.currentTarget.checked)}
                />{' '}
                Only these
              </label>
            ) : null}
          </p>
          <CodeView
            answer={answer}
            numbers={
              isCut
                ? numbers.filter((one) => answer.kept.some(([first, last]) => one >= first && one <= last))
                : numbers
            }
          />
        </>
      ) : null}
    </section>
  );
}

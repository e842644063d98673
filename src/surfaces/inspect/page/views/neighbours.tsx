/**
 * A file among its neighbours: those that use it on the left, those that it uses on the right. The names are buttons, so
 * the drawing is its own list for the keyboard and for screen readers.
 */
import type { WhyAnswer } from '../../why-data.ts';
import { shownNumber } from '../parts.tsx';
import { isStatic, path } from '../state.ts';

type Neighbour = WhyAnswer['neighbours'][number];

/** As in the style sheet. */
const ROW = 28;
const GAP = 110;

export function Neighbours({ answer: { path: name, neighbours, neighboursLeftOut } }: { answer: WhyAnswer }) {
  if (neighbours.length === 0) return null;
  const users = neighbours.filter(({ edge }) => edge.endsWith('by'));
  const used = neighbours.filter(({ edge }) => !edge.endsWith('by'));
  const height = Math.max(users.length, used.length, 1) * ROW;
  return (
    <section aria-labelledby="neighbours">
      <h3 id="neighbours">Neighbours</h3>
      <ul class="legend">
        <li class="imports">imports</li>
        <li class="tests">tests</li>
      </ul>
      <div class="graph">
        <Column label="Files that use it" rows={users} />
        <Edges rows={users} height={height} isLeft />
        <p class="middle">{name.split('/').at(-1)}</p>
        <Edges rows={used} height={height} isLeft={false} />
        <Column label="Files that it uses" rows={used} />
      </div>
      {neighboursLeftOut > 0 ? (
        <p class="note">{shownNumber(neighboursLeftOut)} more are not shown.</p>
      ) : null}
    </section>
  );
}

function Column({ label, rows }: { label: string; rows: readonly Neighbour[] }) {
  return (
    <ul class="nodes" aria-label={label}>
      {rows.map(({ path: other, edge }) => (
        <li key={`${edge} ${other}`}>
          <button
            type="button"
            class={`node ${kindOf(edge)}`}
            disabled={isStatic}
            title={`${edge}: ${other}`}
            aria-label={`${edge} ${other}`}
            onClick={() => {
              path.value = other;
            }}
          >
            <bdi>{other}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}

const kindOf = (edge: Neighbour['edge']): string => (edge.startsWith('test') ? 'tests' : 'imports');

/** Curves from each row of a column to the middle. */
function Edges({ rows, height, isLeft }: { rows: readonly Neighbour[]; height: number; isLeft: boolean }) {
  const top = (height - rows.length * ROW) / 2;
  const [outer, inner] = isLeft ? [0, GAP] : [GAP, 0];
  return (
    <svg class="edges" width={GAP} height={height} aria-hidden="true">
      {rows.map(({ path: other, edge }, at) => {
        const y = top + at * ROW + ROW / 2;
        const [middle, half] = [height / 2, GAP / 2];
        const curve = `M${outer} ${y}C${half} ${y} ${half} ${middle} ${inner} ${middle}`;
        return <path key={`${edge} ${other}`} class={kindOf(edge)} d={curve} />;
      })}
    </svg>
  );
}

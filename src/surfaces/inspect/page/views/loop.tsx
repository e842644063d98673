/** The loop: its task tree with the states, and its iterations with their files. */
import type { RunsData } from '../../runs-data.ts';
import { shownNumber, shownTime, useSome } from '../parts.tsx';

type LoopData = Extract<NonNullable<RunsData['loop']>, { nodes: unknown }>;

export function Loop({ loop }: Pick<RunsData, 'loop'>) {
  if (loop === null) return null;
  return (
    <section aria-labelledby="loop">
      <h2 id="loop">Loop</h2>
      {'problem' in loop ? (
        <p role="alert" class="status problem">
          {loop.problem}
        </p>
      ) : (
        <Tree loop={loop} />
      )}
    </section>
  );
}

const MAX_DEPTH = 9;

function Tree({ loop }: { loop: LoopData }) {
  const { some: nodes, more: moreNodes } = useSome(loop.nodes, 200);
  const { some: iterations, more: moreIterations } = useSome(loop.iterations, 30);
  return (
    <>
      <p>
        <strong>{loop.outcome}</strong>, {loop.activity}: {shownNumber(loop.leaves.passed)} of{' '}
        {shownNumber(loop.leaves.all)} leaves pass
      </p>
      <div class="cards">
        <section>
          <h3>Task tree</h3>
          <ul class="tree">
            {nodes.map((node) => (
              <li key={node.id} class={`depth-${Math.min(node.depth, MAX_DEPTH)}`}>
                <details>
                  <summary>
                    <span class={`state ${node.state}`}>{node.state}</span> {node.title}{' '}
                    <span class="note">
                      {node.id}
                      {node.attempts > 0 ? `, ${node.attempts} of ${node.maxAttempts} attempts` : ''}
                    </span>
                  </summary>
                  <p>{node.goal}</p>
                  <ul>
                    {node.acceptance.map((one) => (
                      <li key={one}>{one}</li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
          {moreNodes}
        </section>
        <section>
          <h3>Iterations</h3>
          {loop.failure === '' ? null : <pre class="patch">{loop.failure}</pre>}
          <ul class="list">
            {iterations.map((one) => (
              <li key={`${one.run}/${one.iteration}`}>
                <strong>{one.iteration}</strong> {one.node}{' '}
                <span class={`state ${one.outcome}`}>{one.outcome === '' ? 'no result' : one.outcome}</span>,
                gates {one.guard}: {one.summary}{' '}
                <span class="note">
                  {one.startedAt ? shownTime(one.startedAt) : ''} {one.files.join(', ')}
                </span>
              </li>
            ))}
          </ul>
          {moreIterations}
        </section>
      </div>
    </>
  );
}

/** The view Repository: what the repository consists of, where work goes on, and what the index could not read. */
import { useMemo } from 'preact/hooks';
import type { RepositoryData } from '../../repository-data.ts';
import { useData } from '../ask.ts';
import { Bar, Figures, Status, shownNumber, Table } from '../parts.tsx';
import { explain } from '../state.ts';
import { Treemap } from '../treemap.tsx';
import type { View } from '../view.ts';

const percent = (value: number | null): string => (value === null ? '-' : `${Math.floor(value * 100)} %`);
const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${shownNumber(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function Repository() {
  const asked = useData<RepositoryData>('repository', {});
  const { value } = asked;
  return (
    <>
      {value ? null : <Status asked={asked} />}
      {value ? <Shown data={value} /> : null}
    </>
  );
}

function Shown({ data }: { data: RepositoryData }) {
  const { root, totals, languages, roles, imports, skipped, index, commit, commits } = data;
  return (
    <div class="repository">
      <h2 class="path">{root}</h2>
      <Figures
        rows={[
          ['files', shownNumber(totals.files)],
          ['lines', shownNumber(totals.lines)],
          ['size', size(totals.bytes)],
          ['definitions', shownNumber(totals.symbols)],
          ['commit', commit === '' ? 'no git' : commit.slice(0, 10)],
          ['index', index.state === 'ok' ? 'up to date' : 'with warnings'],
        ]}
      />
      <section aria-labelledby="hot-spots">
        <h2 id="hot-spots">Hot spots</h2>
        <HotSpots spots={data.hotSpots} commits={commits} />
      </section>
      <div class="cards">
        <section aria-labelledby="languages">
          <h2 id="languages">Languages</h2>
          <Table head={['language', 'files', 'lines', 'size', 'definitions', 'share']}>
            {languages.map((one) => (
              <tr key={one.language ?? ''}>
                <th scope="row">{one.language ?? 'other'}</th>
                <Numbers values={[one.files, one.lines]} />
                <td class="number">{size(one.bytes)}</td>
                <Numbers values={[one.symbols]} />
                <td>
                  <Bar share={totals.bytes === 0 ? 0 : one.bytes / totals.bytes} />
                </td>
              </tr>
            ))}
          </Table>
        </section>
        <section aria-labelledby="roles">
          <h2 id="roles">Kinds of files</h2>
          <Table head={['kind', 'files', 'lines', 'size']}>
            {roles.map((one) => (
              <tr key={one.role}>
                <th scope="row">{one.role}</th>
                <Numbers values={[one.files, one.lines]} />
                <td class="number">{size(one.bytes)}</td>
              </tr>
            ))}
          </Table>
        </section>
        <section aria-labelledby="imports">
          <h2 id="imports">Imports</h2>
          <p class="note">Resolved: Loadout knows the file that the import names.</p>
          <Table head={['language', 'of this repository', 'resolved', 'share', 'of other packages']}>
            {imports.map((one) => (
              <tr key={one.language}>
                <th scope="row">{one.language}</th>
                <Numbers values={[one.imports, one.resolved]} />
                <td class="number">{percent(one.share)}</td>
                <Numbers values={[one.external]} />
              </tr>
            ))}
          </Table>
        </section>
        <section aria-labelledby="skipped">
          <h2 id="skipped">Skipped files</h2>
          {skipped.length === 0 ? <p class="note">None.</p> : null}
          {skipped.map(({ reason, sentence, count, paths }) => (
            <details key={reason}>
              <summary>
                <strong>{shownNumber(count)}</strong> {sentence}
              </summary>
              <ul>
                {paths.map((path) => (
                  <li key={path}>{path}</li>
                ))}
                {count > paths.length ? <li>and {shownNumber(count - paths.length)} more</li> : null}
              </ul>
            </details>
          ))}
        </section>
        <section aria-labelledby="index">
          <h2 id="index">Index</h2>
          <p>
            {index.state === 'ok' ? 'Up to date' : 'Up to date, with warnings'}: {index.mode} scan in{' '}
            {index.durationSeconds.toFixed(2)} s, {shownNumber(index.filesChanged)} files changed,{' '}
            {shownNumber(index.edges)} edges, {shownNumber(index.segments)} segments
          </p>
          <ul>
            {index.diagnostics.map(({ code, message }, at) => (
              <li key={`${code} ${at}`}>{message}</li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}

const Numbers = ({ values }: { values: readonly number[] }) =>
  values.map((value, at) => (
    <td key={at} class="number">
      {shownNumber(value)}
    </td>
  ));

const HEATS = 5;
const LISTED = 30;

function HotSpots({ spots, commits }: { spots: RepositoryData['hotSpots']; commits: number }) {
  const boxes = useMemo(() => {
    const most = Math.max(1, ...spots.map(({ changes }) => changes));
    return spots.map(({ path, lines, changes }) => ({
      path,
      size: lines,
      kind: `heat-${Math.min(HEATS - 1, Math.floor((changes / most) * HEATS))}`,
      title: `${path}: ${shownNumber(changes)} changes, ${shownNumber(lines)} lines`,
    }));
  }, [spots]);
  if (spots.length === 0) return <p class="note">No commit has changed a file that is still here.</p>;
  return (
    <>
      <p class="note">
        Area: lines. Colour: how many of the last {shownNumber(commits)} commits changed the file; the darkest
        were changed most.
      </p>
      <Treemap
        label={`${spots.length} hot spots by folder; the table below has the first ones`}
        height={340}
        boxes={boxes}
        onPick={explain}
      />
      <details>
        <summary>The first hot spots as a table</summary>
        <Table head={['file', 'changes', 'lines']}>
          {spots.slice(0, LISTED).map((spot) => (
            <tr key={spot.path}>
              <th scope="row">{spot.path}</th>
              <Numbers values={[spot.changes, spot.lines]} />
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}

export const repositoryView: View = { id: 'repository', title: 'Repository', component: Repository };

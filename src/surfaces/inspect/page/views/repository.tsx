// The view Repository: what the repository consists of, where work goes on, and what the index could not read.

import type { RepositoryData } from '../../repository-data.ts';
import { useData } from '../ask.ts';
import type { View } from '../view.ts';

const number = (value: number): string => Math.round(value).toLocaleString('en-US');
const percent = (value: number | null): string => (value === null ? '-' : `${Math.floor(value * 100)}%`);

export const repositoryView: View = { id: 'repository', title: 'Repository', component: Repository };

function Repository() {
  const { value, problem } = useData<RepositoryData>('repository', {});
  if (problem !== undefined) return <p role="alert">{problem}</p>;
  if (value === undefined) return <p aria-busy="true">Reading the index…</p>;
  const { totals, languages, imports, skipped, index, commit, commits } = value;
  return (
    <div class="repository">
      <p>
        {number(totals.files)} files, {number(totals.lines)} lines, {number(totals.symbols)} definitions
        {commit === '' ? '' : ` at ${commit.slice(0, 12)}`}
      </p>
      <section aria-labelledby="languages">
        <h2 id="languages">Languages</h2>
        <table>
          <thead>
            <tr>{head(['language', 'files', 'lines', 'kB', 'definitions'])}</tr>
          </thead>
          <tbody>
            {languages.map((one) => (
              <tr key={one.language ?? ''}>
                <th scope="row">{one.language ?? 'other'}</th>
                {cells([one.files, one.lines, one.bytes / 1_000, one.symbols].map(number))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="hot-spots">
        <h2 id="hot-spots">Hot spots</h2>
        <p>Area: lines. Colour: how many of the last {number(commits)} commits changed the file.</p>
        <HotSpots spots={value.hotSpots} />
        <details>
          <summary>The first hot spots as a table</summary>
          <table>
            <thead>
              <tr>{head(['file', 'changes', 'lines'])}</tr>
            </thead>
            <tbody>
              {value.hotSpots.slice(0, 30).map((spot) => (
                <tr key={spot.path}>
                  <th scope="row">{spot.path}</th>
                  {cells([number(spot.changes), number(spot.lines)])}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </section>
      <section aria-labelledby="imports">
        <h2 id="imports">Imports</h2>
        <table>
          <thead>
            <tr>{head(['language', 'imports', 'resolved', 'share', 'of other packages'])}</tr>
          </thead>
          <tbody>
            {imports.map((one) => (
              <tr key={one.language}>
                <th scope="row">{one.language}</th>
                {cells([number(one.imports), number(one.resolved), percent(one.share), number(one.external)])}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="skipped">
        <h2 id="skipped">Skipped files</h2>
        {skipped.length === 0 ? <p>None.</p> : null}
        {skipped.map(({ reason, sentence, count, paths }) => (
          <details key={reason}>
            <summary>
              {number(count)}: {sentence}
            </summary>
            <ul>
              {paths.map((path) => (
                <li key={path}>{path}</li>
              ))}
              {count > paths.length ? <li>and {number(count - paths.length)} more</li> : null}
            </ul>
          </details>
        ))}
      </section>
      <section aria-labelledby="index">
        <h2 id="index">Index</h2>
        <p>
          {index.state === 'ok' ? 'Up to date' : 'Up to date, with warnings'}: {index.mode} scan in{' '}
          {index.durationSeconds.toFixed(2)} s, {number(index.filesChanged)} files changed,{' '}
          {number(index.edges)} edges, {number(index.segments)} segments
        </p>
        <ul>
          {index.diagnostics.map(({ code, message }, at) => (
            <li key={`${code} ${at}`}>{message}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const head = (names: readonly string[]) =>
  names.map((name) => (
    <th scope="col" key={name}>
      {name}
    </th>
  ));
const cells = (texts: readonly string[]) => texts.map((text, at) => <td key={at}>{text}</td>);

type Spot = RepositoryData['hotSpots'][number];
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WIDTH = 1_000;
const HEIGHT = 420;
const HEATS = 5;

function HotSpots({ spots }: { readonly spots: readonly Spot[] }) {
  if (spots.length === 0) return <p>No commit has changed a file that is still here.</p>;
  const most = Math.max(...spots.map(({ changes }) => changes));
  const heat = ({ changes }: Spot) => Math.min(HEATS - 1, Math.floor((changes / most) * HEATS));
  const bySize = [...spots].sort((a, b) => b.lines - a.lines);
  return (
    <svg
      class="hot-spots"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Hot spots; the table below has the first ones"
    >
      {layout(bySize, { x: 0, y: 0, width: WIDTH, height: HEIGHT }).map(({ spot, box }) => {
        const label = `${spot.path}: ${number(spot.changes)} changes, ${number(spot.lines)} lines`;
        return (
          <g key={spot.path}>
            <title>{label}</title>
            <rect class={`heat-${heat(spot)}`} {...box} />
            {box.width > 90 && box.height > 16 ? (
              <text x={box.x + 4} y={box.y + 13}>
                {spot.path
                  .split('/')
                  .at(-1)!
                  .slice(0, Math.floor(box.width / 7))}
              </text>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

/** Splits the box along its longer side into two halves of about the same number of lines, again and again. */
function layout(spots: readonly Spot[], box: Box): readonly { readonly spot: Spot; readonly box: Box }[] {
  if (spots.length === 1) return [{ spot: spots[0]!, box }];
  const sum = spots.reduce((all, { lines }) => all + lines, 0);
  let [at, first] = [1, spots[0]!.lines];
  while (at < spots.length - 1 && first + spots[at]!.lines <= sum / 2) first += spots[at++]!.lines;
  const share = first / sum;
  const { x, y, width, height } = box;
  const isWide = width > height;
  const one = isWide ? { x, y, width: width * share, height } : { x, y, width, height: height * share };
  const other = isWide
    ? { x: x + one.width, y, width: width - one.width, height }
    : { x, y: y + one.height, width, height: height - one.height };
  return [...layout(spots.slice(0, at), one), ...layout(spots.slice(at), other)];
}

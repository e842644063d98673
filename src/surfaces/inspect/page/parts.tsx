/** Pieces that several views are made of. */
import { hierarchy, treemap } from 'd3-hierarchy';
import type { Asked } from './ask.ts';

export const shownNumber = (value: number): string => value.toLocaleString('en');

/** A problem or a wait, in place of the answer. */
export function Status({ asked }: { asked: Asked<unknown> }) {
  return (
    <p class="status" role="status">
      {asked.problem ?? (asked.isLoading ? 'Working…' : '')}
    </p>
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
          <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width="100" height="8" class="rail" />
            <rect width={of > 0 ? Math.min(100, (100 * value) / of) : 0} height="8" class="fill" />
          </svg>
          <span class="note">{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** A box of a treemap. */
export interface Box {
  readonly path: string;
  readonly size: number;
  /** A class of the style sheet that gives the colour. */
  readonly kind: string;
  readonly title: string;
}

interface Node {
  readonly name: string;
  readonly box?: Box;
  readonly children: Map<string, Node>;
}

const WIDTH = 1_000;
const HEIGHT = 300;

/** Boxes by folder. A table beside it says the same, so a screen reader gets one sentence. */
export function Treemap({
  boxes,
  label,
  onPick,
}: {
  boxes: readonly Box[];
  label: string;
  onPick: (path: string) => void;
}) {
  const top: Node = { name: '', children: new Map() };
  for (const box of boxes) {
    let node = top;
    const names = box.path.split('/');
    for (const [at, name] of names.entries()) {
      const isLeaf = at === names.length - 1;
      const next = node.children.get(name) ?? { name, children: new Map(), ...(isLeaf ? { box } : {}) };
      node.children.set(name, next);
      node = next;
    }
  }
  const root = hierarchy(top, ({ children }) => [...children.values()]).sum(({ box }) => box?.size ?? 0);
  const laidOut = treemap<Node>().size([WIDTH, HEIGHT]).paddingInner(2)(root);
  return (
    <svg class="treemap" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {laidOut.leaves().map(({ x0, x1, y0, y1, data: { box, name } }) =>
        box ? (
          // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the table has a button for each file.
          <g key={box.path} onClick={() => onPick(box.path)}>
            <title>{box.title}</title>
            <rect x={x0} y={y0} width={x1 - x0} height={y1 - y0} class={`box ${box.kind}`} />
            {x1 - x0 > 60 && y1 - y0 > 16 ? (
              <text x={x0 + 4} y={y0 + 13}>
                {name.slice(0, Math.floor((x1 - x0) / 7))}
              </text>
            ) : null}
          </g>
        ) : null,
      )}
    </svg>
  );
}

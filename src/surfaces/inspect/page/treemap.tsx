/** A treemap by folder: the area of a box is a size, its class is a colour. */
import { hierarchy, treemap } from 'd3-hierarchy';
import { useMemo } from 'preact/hooks';
import { useWidth } from './parts.tsx';

/** A file. */
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

const LABEL = 16;
const LETTER = 7;
/** Folders below these have no label: the boxes would be mostly labels. */
const MAX_LABELLED = 2;

/** A table beside it says the same, so a screen reader gets one sentence. */
export function Treemap({
  boxes,
  label,
  height,
  onPick,
}: {
  boxes: readonly Box[];
  label: string;
  height: number;
  onPick: (path: string) => void;
}) {
  const { ref, width } = useWidth(1_000);
  const laidOut = useMemo(() => layOut(boxes, width, height), [boxes, width, height]);
  return (
    <div ref={ref} class="treemap">
      <svg width={width} height={height} role="img" aria-label={label}>
        {laidOut
          .descendants()
          .filter(({ depth, children }) => children && depth > 0 && depth <= MAX_LABELLED)
          .map(({ x0, x1, y0, y1, data, depth }) => (
            <g key={`${depth} ${x0} ${y0}`} class="folder">
              <rect x={x0} y={y0} width={x1 - x0} height={y1 - y0} />
              <text x={x0 + 4} y={y0 + 12}>
                {cut(`${data.name}/`, x1 - x0 - 8)}
              </text>
            </g>
          ))}
        {laidOut.leaves().map(({ x0, x1, y0, y1, data: { box, name } }) =>
          box ? (
            // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the table has a button for each file.
            <g key={box.path} class="file-box" onClick={() => onPick(box.path)}>
              <title>{box.title}</title>
              <rect x={x0} y={y0} width={x1 - x0} height={y1 - y0} rx="2" class={`box ${box.kind}`} />
              {x1 - x0 > 40 && y1 - y0 > LABEL ? (
                <text x={x0 + 4} y={y0 + 13}>
                  {cut(name, x1 - x0 - 8)}
                </text>
              ) : null}
            </g>
          ) : null,
        )}
      </svg>
    </div>
  );
}

function cut(text: string, room: number): string {
  const letters = Math.floor(room / LETTER);
  if (text.length <= letters) return text;
  return letters < 3 ? '' : `${text.slice(0, letters - 1)}…`;
}

function layOut(boxes: readonly Box[], width: number, height: number) {
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
  const root = hierarchy(joined(top), ({ children }) => [...children.values()])
    .sum(({ box }) => box?.size ?? 0)
    .sort((a, b) => b.value! - a.value!);
  return treemap<Node>()
    .size([width, height])
    .round(true)
    .paddingInner(2)
    .paddingTop(({ depth }) => (depth > 0 && depth <= MAX_LABELLED ? LABEL : 0))(root);
}

/** A folder that holds nothing but a folder is one with it: `django/db/models`. */
function joined(node: Node): Node {
  const children = [...node.children].map(([key, child]) => [key, joined(child)] as const);
  const [only] = children;
  if (node.name !== '' && children.length === 1 && only && !only[1].box)
    return { ...only[1], name: `${node.name}/${only[1].name}` };
  return { ...node, children: new Map(children) };
}

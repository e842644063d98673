import type { ContextPack, Receipt } from '../../model/context-pack.ts';
import { inlinePath, inlineText } from '../../redact/index.ts';
import { groupedNumber } from './shown-text.ts';

// Plain text tables for people: the receipts of a package, and files as a tree with their tokens.

/** In characters. A longer path moves only its own row to the right. */
const WIDEST_PATH = 60;

type Row = readonly [path: string, form: string, tokens: string, score: string, why: string];

const IN_HEADING: Row = ['path', 'form', 'tokens', 'score', 'why'];
const OUT_HEADING: Row = ['left out', 'form', 'would cost', 'score', 'why'];

/** One receipt as a row. Parts without a path show their name in parentheses. */
function rowOf({ part, path, form, tokens, combinedScore, why }: Receipt, otherForm = '-'): Row {
  return [
    path === '' ? `(${part})` : inlinePath(path),
    form ?? otherForm,
    groupedNumber(tokens),
    combinedScore === null ? '-' : combinedScore.toFixed(2),
    inlineText(why),
  ];
}

/** Aligns the columns. Numbers are aligned to the right; the reason is last and may be long. */
function table(rows: readonly Row[]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => [...row[column]!].length)));
  const [path, form, tokens, score] = widths as [number, number, number, number];
  return rows
    .map((row) =>
      [
        row[0].padEnd(Math.min(path, WIDEST_PATH)),
        row[1].padEnd(form),
        row[2].padStart(tokens),
        row[3].padStart(score),
        row[4],
      ]
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Files that are out: those with a receipt, then omitted files without one. */
function outRows({ receipts, omitted }: ContextPack): Row[] {
  const costs = new Map(omitted.map(({ path, cost }) => [path, cost]));
  const told = receipts.filter(({ form }) => form === null);
  const known = new Set(told.map(({ path }) => path));
  return [
    ...told.map((receipt) => rowOf(receipt, costs.get(receipt.path)?.form ?? '-')),
    ...omitted
      .filter(({ path }) => !known.has(path))
      .map(
        ({ path, cost, combinedScore, reason }): Row => [
          inlinePath(path),
          cost?.form ?? '-',
          cost === null ? '-' : groupedNumber(cost.tokens),
          combinedScore.toFixed(2),
          inlineText(reason),
        ],
      ),
  ];
}

/** Lists why each part is in and what it costs, then the files that are out and what they would have cost. */
export function renderReceipts(pack: ContextPack): string {
  const inside = pack.receipts.filter(({ form }) => form !== null).map((receipt) => rowOf(receipt));
  const outside = outRows(pack);
  const total = `${groupedNumber(pack.tokenCount)} of ${groupedNumber(pack.tokenBudget)} tokens\n`;
  const left = outside.length > 0 ? `\n${table([OUT_HEADING, ...outside])}` : '';
  return `${inside.length > 0 ? table([IN_HEADING, ...inside]) : ''}${total}${left}`;
}

/** A file of a tree. */
export interface TreeEntry {
  readonly path: string;
  /** Null for a tree of names alone. */
  readonly tokens: number | null;
}

interface Folder {
  /** Of all files below it. */
  tokens: number;
  readonly folders: Map<string, Folder>;
  readonly files: Map<string, number>;
}

function emptyFolder(): Folder {
  return { tokens: 0, folders: new Map(), files: new Map() };
}

/** Builds the folders from the paths and sums up their tokens. */
function plant(entries: readonly TreeEntry[]): Folder {
  const root = emptyFolder();
  for (const { path, tokens } of entries) {
    const names = path.split('/');
    const file = names.pop()!;
    let folder = root;
    folder.tokens += tokens ?? 0;
    for (const name of names) {
      const below = folder.folders.get(name) ?? emptyFolder();
      folder.folders.set(name, below);
      below.tokens += tokens ?? 0;
      folder = below;
    }
    folder.files.set(file, tokens ?? 0);
  }
  return root;
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A folder with one folder in it and nothing else shares a line with it: `src/context`. */
function joined(name: string, folder: Folder): [string, Folder] {
  const names = [name];
  let at = folder;
  while (at.files.size === 0 && at.folders.size === 1) {
    const [[below, next]] = [...at.folders] as [[string, Folder]];
    names.push(below);
    at = next;
  }
  return [names.join('/'), at];
}

/** Files by folder. If the entries have tokens, each file has its count and each folder its sum. */
export function renderTree(entries: readonly TreeEntry[]): string {
  const root = plant(entries);
  const counted = entries.some(({ tokens }) => tokens !== null);
  const width = groupedNumber(root.tokens).length;
  const lines: string[] = [];
  const line = (tokens: number, depth: number, name: string) =>
    lines.push(
      `${counted ? `${groupedNumber(tokens).padStart(width)}  ` : ''}${'  '.repeat(depth)}${inlineText(name)}`,
    );
  // A list instead of recursion: paths can be deep. Folders are added in reverse, because the last one is next.
  const pending: { name: string; folder: Folder; depth: number }[] = [{ name: '.', folder: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, folder, depth } = next;
    if (depth > 0 || counted)
      line(folder.tokens, Math.max(0, depth - (counted ? 0 : 1)), depth > 0 ? `${name}/` : name);
    const below = counted ? depth + 1 : depth;
    for (const [file, tokens] of sorted(folder.files)) line(tokens, below, file);
    for (const [at, inner] of sorted(folder.folders).reverse()) {
      const [path, end] = joined(at, inner);
      pending.push({ name: path, folder: end, depth: depth + 1 });
    }
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

import type { ContextItem, ContextPack, LineRun } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import type { ComposeContext } from '../compose/index.ts';
import {
  formatOf,
  type RenderOptions,
  renderPiece,
  renderPieces,
  withoutLastLineEnd,
} from '../render/index.ts';
import type { BuiltPackage } from './package-request.ts';

export interface SplitOptions {
  /** Most tokens of a part. */
  readonly limit: number;
  readonly count: (text: string) => number;
  readonly render: RenderOptions;
  readonly write: (part: number, text: string) => void | Promise<void>;
}

interface Cuttable {
  readonly item: ContextItem;
  readonly symbols: readonly SymbolDefinition[];
}

interface Splitter {
  /** Adds text that is not a file. It is left out, with a diagnostic, when no part has room for it. */
  addText(text: string, name: string): Promise<void>;
  /** Adds a file. `again` is called only when the file has to be cut. */
  addRendered(text: string, tokens: number, again: () => Cuttable | null): Promise<void>;
  finish(): Promise<{ readonly parts: number; readonly tokens: number; readonly diagnostics: Diagnostic[] }>;
}

/** Writes a package as numbered documents of their own, each inside the limit. */
export function createSplitter(options: SplitOptions): Splitter {
  const { count, render } = options;
  const format = formatOf(render);
  const writer = createPartWriter({
    ...options,
    head: format.partHead,
    tail: format.end,
  });
  const diagnostics: Diagnostic[] = [];
  const remark = (code: string, message: string, path: string) =>
    diagnostics.push({ code, severity: 'warning', message, path });
  return {
    async addText(text, name) {
      if (text === '') return;
      const tokens = count(text);
      if (tokens <= writer.room) await writer.add(text, tokens);
      else remark('part-left-out', `${name} is larger than a part and left out`, '');
    },
    async addRendered(text, tokens, again) {
      if (tokens <= writer.room) return writer.add(text, tokens);
      const whole = again();
      if (whole === null) return;
      const { item, symbols } = whole;
      const cut = cutItem(item, symbols, (piece) => count(renderPiece(piece, render)) <= writer.room);
      if (cut === null) {
        const message = `${item.path} has a line that is larger than a part: it is left out`;
        return void remark('part-left-out', message, item.path);
      }
      if (cut.splitsSymbol)
        remark('symbol-split', `${item.path} has a definition that is larger than a part`, item.path);
      for (const piece of cut.pieces) {
        const rendered = renderPiece(piece, render);
        await writer.add(rendered, count(rendered));
      }
    },
    finish: async () => ({ ...(await writer.finish()), diagnostics }),
  };
}

/** A finished package in parts. */
export async function splitPack(
  pack: ContextPack,
  symbolsOf: (path: string) => readonly SymbolDefinition[],
  options: SplitOptions,
): Promise<Awaited<ReturnType<Splitter['finish']>>> {
  const splitter = createSplitter(options);
  const items = new Map(pack.items.map((item) => [item.path, item]));
  const pieces = renderPieces(pack, options.render);
  const { end } = formatOf(options.render);
  for (const [at, { part, path, text }] of pieces.entries()) {
    // every part has a beginning and an end of its own
    if (at === 0 || text === end) continue;
    const item = part === 'file' ? items.get(path) : undefined;
    if (item)
      await splitter.addRendered(text, options.count(text), () => ({ item, symbols: symbolsOf(path) }));
    else await splitter.addText(text, part);
  }
  return splitter.finish();
}

interface PartWriterOptions {
  /** Most tokens of a part. */
  readonly limit: number;
  readonly count: (text: string) => number;
  /** The beginning and the end of each part. */
  readonly head: (part: number) => string;
  readonly tail: string;
  /** Takes the text of the parts in order, numbered from 1. */
  readonly write: (part: number, text: string) => void | Promise<void>;
}

interface PartWriter {
  /** Room for the pieces of an empty part. */
  readonly room: number;
  /** Writes a piece that fits into an empty part; opens the next part when this one is full. */
  add(text: string, tokens: number): Promise<void>;
  /** Ends the last part; resolves to how many there are and what they count. */
  finish(): Promise<{ readonly parts: number; readonly tokens: number }>;
}

/** Fills numbered parts one after the other; none has a token too many. */
function createPartWriter({ limit, count, head, tail, write }: PartWriterOptions): PartWriter {
  const tailTokens = count(tail);
  // later numbers have more digits
  const headTokens = count(head(9_999));
  const room = limit - headTokens - tailTokens;
  if (room < 1)
    throw new LoadoutError('bad-flag', `--split: a part of ${limit} tokens has no room for its own frame`, {
      subject: '--split',
      hint: 'give at least 1k',
    });
  let part = 0;
  let left = 0;
  let total = 0;
  const put = async (text: string, tokens: number) => {
    if (text === '') return;
    total += tokens;
    await write(part, text);
  };
  const next = async () => {
    if (part > 0) await put(tail, tailTokens);
    part++;
    left = room;
    await put(head(part), count(head(part)));
  };
  return {
    room,
    async add(text, tokens) {
      if (part === 0 || tokens > left) await next();
      left -= tokens;
      await put(text, tokens);
    },
    async finish() {
      if (part > 0) await put(tail, tailTokens);
      return { parts: part, tokens: total };
    },
  };
}

interface ItemCut {
  readonly pieces: readonly ContextItem[];
  /** A definition is larger than a piece may be, so that it had to be cut. */
  readonly splitsSymbol: boolean;
}

/**
 * Cuts an item into pieces that fit, between definitions wherever that is possible; null when a single line is too
 * long for any piece.
 */
export function cutItem(
  item: ContextItem,
  symbols: readonly SymbolDefinition[],
  fits: (piece: ContextItem) => boolean,
): ItemCut | null {
  const lines = withoutLastLineEnd(item.content).split('\n');
  const numbers = lineNumbers(item.lineRuns, lines.length);
  const depths = cutDepths(lines, numbers, symbols);
  const pieces: ContextItem[] = [];
  let splitsSymbol = false;
  for (let start = 0; start < lines.length; ) {
    const most = longestFitting(start, lines.length, (end) =>
      fits(pieceOf(item, lines, numbers, start, end)),
    );
    if (most === start) return null;
    const end = most === lines.length ? most : bestCut(depths, start, most);
    splitsSymbol ||= end < lines.length && depths[end]! > 0;
    pieces.push(pieceOf(item, lines, numbers, start, end));
    start = end;
  }
  return { pieces, splitsSymbol };
}

/** The largest end for which `fits` holds, `start` when there is none. */
function longestFitting(start: number, last: number, fits: (end: number) => boolean): number {
  let [low, high] = [start, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The last place that cuts through the fewest definitions. */
function bestCut(depths: readonly number[], start: number, most: number): number {
  let best = most;
  for (let at = most; at > start; at--) if (depths[at]! < depths[best]!) best = at;
  return best;
}

/** For each line, how many definitions a cut in front of it would go through. */
function cutDepths(
  lines: readonly string[],
  numbers: readonly (number | null)[],
  symbols: readonly SymbolDefinition[],
): number[] {
  // an outline has no line numbers: an indented line belongs to the line above it
  if (numbers.every((number) => number === null))
    return lines.map((line) => line.length - line.trimStart().length);
  const changes = new Map<number, number>();
  const change = (line: number, by: number) => changes.set(line, (changes.get(line) ?? 0) + by);
  for (const { startLine, endLine } of symbols) {
    change(startLine + 1, 1);
    change(endLine + 1, -1);
  }
  const last = numbers.reduce<number>((most, number) => Math.max(most, number ?? 0), 0);
  const byLine: number[] = [0];
  for (let line = 1; line <= last; line++) byLine.push(byLine[line - 1]! + (changes.get(line) ?? 0));
  return numbers.map((number) => (number === null ? 0 : byLine[number]!));
}

function lineNumbers(runs: readonly LineRun[], count: number): (number | null)[] {
  const numbers = runs.flatMap(({ startLine, count: length }) =>
    Array.from({ length }, (_, at) => (startLine === null ? null : startLine + at)),
  );
  return Array.from({ length: count }, (_, at) => numbers[at] ?? null);
}

function pieceOf(
  item: ContextItem,
  lines: readonly string[],
  numbers: readonly (number | null)[],
  start: number,
  end: number,
): ContextItem {
  const content = `${lines.slice(start, end).join('\n')}\n`;
  const form = item.form === 'full' ? 'excerpt' : item.form;
  return { ...item, form, content, lineRuns: item.lineRuns.length > 0 ? runsOf(numbers, start, end) : [] };
}

function runsOf(numbers: readonly (number | null)[], start: number, end: number): LineRun[] {
  const runs: { startLine: number | null; count: number }[] = [];
  for (let at = start; at < end; at++) {
    const number = numbers[at]!;
    const last = runs.at(-1);
    const follows =
      last !== undefined &&
      (number === null ? last.startLine === null : last.startLine! + last.count === number);
    if (follows && !(number !== null && last.startLine === null)) last.count++;
    else runs.push({ startLine: number, count: 1 });
  }
  return runs;
}

/** A built package with its text also in numbered documents. */
export async function inParts(
  built: BuiltPackage,
  limit: number,
  { count, render, sources }: ComposeContext,
): Promise<BuiltPackage> {
  const parts: string[] = [];
  const write = (part: number, text: string) => {
    parts[part - 1] = (parts[part - 1] ?? '') + text;
  };
  const symbolsOf = (path: string) => sources.read(path)?.symbols ?? [];
  const { diagnostics } = await splitPack(built.pack, symbolsOf, { limit, count, render, write });
  const pack = { ...built.pack, diagnostics: [...built.pack.diagnostics, ...diagnostics] };
  return { pack, text: built.text, parts };
}

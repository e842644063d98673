import type { ContextItem, Dependency } from '../../model/context-pack.ts';
import { inlinePath, inlineText } from '../../redact/index.ts';
import { groupedNumber, symbolList } from './shown-text.ts';

// The summary of a package for hooks: which files matter and how they are connected, without their contents.

/** The part of a package item that a summary shows. */
export type SummaryItem = Pick<ContextItem, 'path' | 'form' | 'combinedScore' | 'symbols'>;

/** The inputs of a summary. A `ContextPack` has all of them. */
export interface SummarySource {
  readonly task: string;
  readonly tokenBudget: number;
  readonly tokenCount: number;
  /** `tokenCount` was estimated without reading the contents. */
  readonly isEstimate?: boolean;
  readonly items: readonly SummaryItem[];
  readonly dependencies: readonly Dependency[];
}

/** The limit of a summary, and how it is counted. */
export interface SummaryOptions {
  /** The text is never longer, in the unit of `measure`. */
  readonly limit: number;
  readonly measure: (text: string) => number;
  /** Replaces secrets in file names. */
  readonly shownName?: (name: string) => string;
}

/** These files get their symbols and dependencies before any other file is named. */
const FIRST_FILES = 20;
/** In characters. */
const MAX_TASK = 500;

/** One thing to say about a package. */
type Fact =
  | { readonly kind: 'file' | 'symbols'; readonly item: SummaryItem }
  | { readonly kind: 'dependency'; readonly dependency: Dependency };

/** The facts in the order of their importance. A shorter summary has fewer of them from the end. */
function factsOf({ items, dependencies }: SummarySource): Fact[] {
  const about = (some: readonly SummaryItem[]): Fact[] => [
    ...some.map((item): Fact => ({ kind: 'file', item })),
    ...some.filter(({ symbols }) => symbols.length > 0).map((item): Fact => ({ kind: 'symbols', item })),
  ];
  const first = items.slice(0, FIRST_FILES);
  const firstPaths = new Set(first.map(({ path }) => path));
  const isFirst = ({ from, to, external }: Dependency) =>
    firstPaths.has(from) && (external === true || firstPaths.has(to));
  const between = (some: readonly Dependency[]) =>
    some.map((dependency): Fact => ({ kind: 'dependency', dependency }));
  return [
    ...about(first),
    ...between(dependencies.filter(isFirst)),
    ...about(items.slice(FIRST_FILES)),
    ...between(dependencies.filter((one) => !isFirst(one))),
  ];
}

function withShownNames(source: SummarySource, shownName: (name: string) => string): SummarySource {
  return {
    ...source,
    items: source.items.map((item) => {
      return { ...item, path: shownName(item.path), symbols: item.symbols.map(shownName) };
    }),
    dependencies: source.dependencies.map(({ from, to }) => ({ from: shownName(from), to: shownName(to) })),
  };
}

/** The lines that every summary has. */
function headLines(pack: SummarySource): string[] {
  const listed = pack.items.filter(({ form }) => form !== 'mention').length;
  const task = [...inlineText(pack.task.trim().replace(/\s+/g, ' '))];
  const cut = task.length > MAX_TASK ? `${task.slice(0, MAX_TASK).join('')}…` : task.join('');
  return [
    '## Context Package',
    `Task: ${cut}`,
    `Files listed: ${listed} (${pack.isEstimate ? 'about ' : ''}${groupedNumber(pack.tokenCount)} tokens to read)`,
    `Budget: ${groupedNumber(pack.tokenBudget)} tokens`,
  ];
}

/** The text with some of the facts: files with their symbols first, then dependencies. */
function write(pack: SummarySource, head: readonly string[], facts: readonly Fact[]): string {
  const lines = [...head];
  const named = new Set(facts.flatMap((fact) => (fact.kind === 'file' ? [fact.item] : [])));
  const withSymbols = new Set(facts.flatMap((fact) => (fact.kind === 'symbols' ? [fact.item] : [])));
  if (named.size > 0) lines.push('', '### Key Files');
  for (const item of named) {
    lines.push(`- ${inlinePath(item.path)} (relevance: ${item.combinedScore.toFixed(2)})`);
    if (withSymbols.has(item)) lines.push(`  Symbols: ${symbolList(item)}`);
  }
  if (named.size > 0 && named.size < pack.items.length)
    lines.push(`- ${pack.items.length - named.size} more`);
  const shown = facts.flatMap((fact) => (fact.kind === 'dependency' ? [fact.dependency] : []));
  if (shown.length > 0) lines.push('', '### Dependencies');
  for (const { from, to } of shown) lines.push(`- ${inlinePath(from)} -> ${inlinePath(to)}`);
  return `${lines.join('\n')}\n`;
}

/**
 * The text that a hook gives to an agent: files with their relevance and symbols, and dependencies between them. The
 * least important facts are dropped until the text fits. Empty when not even the first line fits.
 */
export function renderSummary(given: SummarySource, { limit, measure, shownName }: SummaryOptions): string {
  const pack = shownName ? withShownNames(given, shownName) : given;
  const head = headLines(pack);
  const facts = factsOf(pack);
  const textWith = (count: number) => write(pack, head, facts.slice(0, count));
  const whole = textWith(facts.length);
  if (measure(whole) <= limit) return whole;
  // Binary search for the number of facts.
  let low = 0;
  let high = facts.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(textWith(middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  // A measure may shrink when a line is added, so the result of the search is checked.
  for (let count = low; count >= 0; count--) {
    const text = textWith(count);
    if (measure(text) <= limit) return text;
  }
  const bare = `${head[0]}\n`;
  return measure(bare) <= limit ? bare : '';
}

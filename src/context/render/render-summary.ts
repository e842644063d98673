import type { ContextItem, Dependency } from '../../model/context-pack.ts';
import { inlinePath, inlineText } from '../../redact/index.ts';
import { groupedNumber, symbolList } from './shown-text.ts';

export type SummaryItem = Pick<ContextItem, 'path' | 'form' | 'combinedScore' | 'symbols'>;

/** What of a package is in its summary; a package fits. */
export interface SummarySource {
  readonly task: string;
  readonly tokenBudget: number;
  readonly tokenCount: number;
  /** `tokenCount` was worked out without the contents. */
  readonly isEstimate?: boolean;
  readonly items: readonly SummaryItem[];
  readonly dependencies: readonly Dependency[];
}

export interface SummaryOptions {
  /** The text never measures more. */
  readonly limit: number;
  readonly measure: (text: string) => number;
  /** A name may hold a secret; the text shows what this makes of it. */
  readonly shownName?: (name: string) => string;
}

/** Files that get their symbols and dependencies before any further file is named. */
const FIRST_FILES = 20;
const MAX_TASK = 500;

/** The facts about a package, most wanted first. */
type Fact =
  | { readonly kind: 'file' | 'symbols'; readonly item: SummaryItem }
  | { readonly kind: 'dependency'; readonly dependency: Dependency };

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

function headLines(pack: SummarySource): string[] {
  const included = pack.items.filter(({ form }) => form !== 'mention').length;
  const task = [...inlineText(pack.task.trim().replace(/\s+/g, ' '))];
  const cut = task.length > MAX_TASK ? `${task.slice(0, MAX_TASK).join('')}…` : task.join('');
  return [
    '## Context Package',
    `Task: ${cut}`,
    `Files included: ${included} (${pack.isEstimate ? 'about ' : ''}${groupedNumber(pack.tokenCount)} tokens)`,
    `Budget: ${groupedNumber(pack.tokenBudget)} tokens`,
  ];
}

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
 * What a hook tells an agent: which files, how relevant, which symbols, how they depend on each other; no
 * contents. Drops the least wanted until it fits; an empty text when not even the head does.
 */
export function renderSummary(given: SummarySource, { limit, measure, shownName }: SummaryOptions): string {
  const pack = shownName ? withShownNames(given, shownName) : given;
  const head = headLines(pack);
  const facts = factsOf(pack);
  const textWith = (count: number) => write(pack, head, facts.slice(0, count));
  const whole = textWith(facts.length);
  if (measure(whole) <= limit) return whole;
  let low = 0;
  let high = facts.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(textWith(middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  // a measure need not grow with every line
  for (let count = low; count >= 0; count--) {
    const text = textWith(count);
    if (measure(text) <= limit) return text;
  }
  const bare = `${head[0]}\n`;
  return measure(bare) <= limit ? bare : '';
}

import type {
  ContextItem,
  ContextPack,
  Convention,
  Dependency,
  ExternalSignature,
  PackEnvironment,
} from '../../model/context-pack.ts';
import { inlineName } from '../../redact/inline-text.ts';

/**
 * How a format writes the parts of a package. Every text begins with a character that is neither white space nor
 * `/` and ends with exactly one line end: tokenizers split there, so the tokens of the parts add up to those of
 * the whole.
 */
export interface PackDialect {
  readonly header: string;
  convention(convention: Convention): string;
  environment(environment: PackEnvironment): string;
  tree(tree: string): string;
  item(item: ContextItem, lineNumbers: boolean): string;
  mention(item: ContextItem): string;
  readonly mentionsHeading: string;
  externals(externals: readonly ExternalSignature[]): string;
  dependencies(dependencies: readonly Dependency[]): string;
  diff(diff: string): string;
  /** What differs from task to task. */
  closing(pack: ContextPack): string;
  readonly end: string;
  /** Stands behind the header of a package that comes in parts. */
  partNote(part: number): string;
}

const MAX_FIRST_FILES = 5;
const MAX_SYMBOLS = 8;

/** `Foo.bar, baz`: the best of an item's symbols. */
export function symbolList({ symbols }: Pick<ContextItem, 'symbols'>): string {
  return [...new Set(symbols)].slice(0, MAX_SYMBOLS).map(inlineName).join(', ');
}

/** Where a reader should begin: items stand in order of their paths, which says nothing about it. */
export function firstFiles({ items }: ContextPack): string[] {
  return items
    .filter(({ form }) => form !== 'mention')
    .slice(0, MAX_FIRST_FILES)
    .map(({ path }) => path);
}

/** `src/a.ts -> src/b.ts, src/c.ts` as one entry. */
export function byOrigin(dependencies: readonly Dependency[]): [from: string, to: string[]][] {
  const groups = new Map<string, string[]>();
  for (const { from, to } of dependencies) {
    const known = groups.get(from);
    if (known === undefined) groups.set(from, [to]);
    else known.push(to);
  }
  return [...groups];
}

import type { SymbolDefinition } from '../../model/symbol.ts';
import { fenced, inlinePath } from '../../redact/index.ts';
import { keepSymbols, signatureView } from '../../scan/parse/index.ts';

// The map: an outline of a repository with the signatures of its central files.

/** One file of a map. */
interface MapEntry {
  readonly path: string;
  /** Its signatures, or null when only its name is given. */
  readonly view: string | null;
  /** How many of its definitions the view shows; null when it shows all. */
  readonly shown: { readonly count: number; readonly of: number } | null;
  /** Label of the code fence. */
  readonly language: string;
}

/** The counts in the first line of a map. */
interface MapSummary {
  readonly files: number;
  readonly symbols: number;
  readonly edges: number;
}

/** The first lines of a map. They explain the order and the marks. */
export function mapHeader({ files, symbols, edges }: MapSummary): string {
  return [
    '# Repository map',
    '',
    `${files} files, ${symbols} symbols, ${edges} imports between files. Most central files first;`,
    '"⋮ 12-30" stands for lines that are left out.',
    '',
  ].join('\n');
}

/** One file: its signatures in a fence, or only its name. */
export function mapSection({ path, view, shown, language }: MapEntry): string {
  const name = inlinePath(path);
  if (view === null) return `- ${name}\n`;
  const part = shown ? ` (${shown.count} of ${shown.of} definitions)` : '';
  return `## ${name}${part}\n${fenced(view, language)}\n\n`;
}

/** Comes before the files that are only named. */
export const MENTIONS_HEADING = '## Also central\n';

/** The text of a file, and the definitions in it. */
export interface ViewSource {
  readonly text: string;
  readonly language: string | null;
  readonly symbols: readonly SymbolDefinition[];
}

/** The signatures of a file. */
export interface FileView {
  readonly text: string;
  /** How many of the definitions the text shows; null when it shows all. */
  readonly shown: { readonly count: number; readonly of: number } | null;
}

function viewText({ text, language }: ViewSource, symbols: readonly SymbolDefinition[]): string {
  return signatureView(text, {
    language,
    lineCount: text.split('\n').length,
    symbols,
    imports: [],
    problem: null,
    hasSyntaxErrors: false,
  });
}

/** Every signature of a file. */
export function wholeView(source: ViewSource): FileView {
  return { text: viewText(source, source.symbols), shown: null };
}

/** As many of the best symbols as fit; null when not even one fits. `best` has indexes of symbols, best first. */
export function partialView(
  source: ViewSource,
  best: readonly number[],
  fits: (view: FileView) => boolean,
): FileView | null {
  const take = (count: number): FileView => {
    const kept = keepSymbols(source.symbols, new Set(best.slice(0, count)));
    return { text: viewText(source, kept), shown: { count: kept.length, of: source.symbols.length } };
  };
  // Binary search for the largest count that fits.
  let least = 0;
  let most = best.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(take(middle))) least = middle;
    else most = middle - 1;
  }
  return least > 0 ? take(least) : null;
}

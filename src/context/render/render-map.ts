import type { SymbolDefinition } from '../../model/symbol.ts';
import { fenced, inlinePath } from '../../redact/index.ts';
import { keepSymbols, signatureView } from '../../scan/parse/index.ts';

/** One file of an outline. */
interface MapEntry {
  readonly path: string;
  /** Its signatures, or null when only its name is given. */
  readonly view: string | null;
  /** How many of its definitions the view shows; null when it shows all. */
  readonly shown: { readonly count: number; readonly of: number } | null;
  /** Label of the code fence. */
  readonly language: string;
}

interface MapSummary {
  readonly files: number;
  readonly symbols: number;
  readonly edges: number;
}

/** The first lines of an outline: what the numbers and marks mean. */
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

export const MENTIONS_HEADING = '## Also central\n';

/** A file as it is on disk, and what was found in it. */
export interface ViewSource {
  readonly text: string;
  readonly language: string | null;
  readonly symbols: readonly SymbolDefinition[];
}

export interface FileView {
  readonly text: string;
  /** How many of the definitions there are; null when all are there. */
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

/** As many of the best symbols as there is room for; null when not even one fits. */
export function partialView(
  source: ViewSource,
  best: readonly number[],
  fits: (view: FileView) => boolean,
): FileView | null {
  const take = (count: number): FileView => {
    const kept = keepSymbols(source.symbols, new Set(best.slice(0, count)));
    return { text: viewText(source, kept), shown: { count: kept.length, of: source.symbols.length } };
  };
  let least = 0;
  let most = best.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(take(middle))) least = middle;
    else most = middle - 1;
  }
  return least > 0 ? take(least) : null;
}

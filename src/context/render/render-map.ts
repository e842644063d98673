import { fenced } from '../../redact/fence.ts';
import { inlinePath } from '../../redact/inline-text.ts';

/** One file of an outline. */
export interface MapEntry {
  readonly path: string;
  /** Share of all attention, in percent of the most central file. */
  readonly centrality: number;
  /** Its signatures, or null when only its name is given. */
  readonly view: string | null;
  /** How many of its definitions the view shows; null when it shows all. */
  readonly shown: { readonly count: number; readonly of: number } | null;
  /** Label of the code fence. */
  readonly language: string;
}

export interface MapSummary {
  readonly files: number;
  readonly symbols: number;
  readonly edges: number;
}

export function mapHeader({ files, symbols, edges }: MapSummary): string {
  return [
    '# Repository map',
    '',
    `${files} files, ${symbols} symbols, ${edges} imports between files. Most central files first;`,
    '"⋮ 12-30" stands for lines that are left out.',
    '',
  ].join('\n');
}

export function mapSection({ path, view, shown, language }: MapEntry): string {
  const name = inlinePath(path);
  if (view === null) return `- ${name}\n`;
  const part = shown ? ` (${shown.count} of ${shown.of} definitions)` : '';
  return `## ${name}${part}\n${fenced(view, language)}\n\n`;
}

export const MENTIONS_HEADING = '## Also central\n';

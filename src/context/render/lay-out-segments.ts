import type { LineRun } from '../../model/context-pack.ts';
import { inlineName } from '../../redact/inline-text.ts';

/** Lines of a file that are shown as they are, or lines that are left out and named. */
export type ContentSegment =
  | { readonly kind: 'lines'; readonly startLine: number; readonly text: string }
  | {
      readonly kind: 'elided';
      readonly startLine: number;
      readonly endLine: number;
      /** What is defined there. */
      readonly names: readonly string[];
      readonly indent?: string;
    };

export interface LaidOutContent {
  readonly content: string;
  readonly lineRuns: readonly LineRun[];
}

const MAX_NAMES = 8;

/** `... 118 lines: parseHeaders, writeBody ...` */
export function elisionLine(lines: number, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(inlineName);
  if (names.length > MAX_NAMES) shown.push(`${names.length - MAX_NAMES} more`);
  const list = shown.length > 0 ? `: ${shown.join(', ')}` : '';
  return `... ${lines} ${lines === 1 ? 'line' : 'lines'}${list} ...`;
}

/** An excerpt as text, with where each of its lines comes from. */
export function layOutSegments(segments: readonly ContentSegment[]): LaidOutContent {
  const texts: string[] = [];
  const lineRuns: LineRun[] = [];
  for (const segment of segments) {
    if (segment.kind === 'elided') {
      const { startLine, endLine, names, indent = '' } = segment;
      texts.push(indent + elisionLine(endLine - startLine + 1, names));
      lineRuns.push({ startLine: null, count: 1 });
    } else {
      const text = segment.text.endsWith('\n') ? segment.text.slice(0, -1) : segment.text;
      texts.push(text);
      lineRuns.push({ startLine: segment.startLine, count: text.split('\n').length });
    }
  }
  return { content: texts.join('\n'), lineRuns };
}

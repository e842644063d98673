import type { CodeFence } from '../../model/task-analysis.ts';

const OPENING = /^(?:(?:[-*+>]|\d{1,3}[.)])\s+)*(`{3,}|~{3,})([^`]{0,300})$/;

export interface FenceReader {
  readonly isOpen: boolean;
  /** Takes a line (without indentation) that opens a fence; returns what stands behind the marks, else null. */
  open(trimmed: string): string | null;
  /** Takes a line inside a fence; false when it was the closing one. */
  add(raw: string, trimmed: string): boolean;
  /** All fences so far; one that is never closed runs to the end. */
  finish(): CodeFence[];
}

export function createFenceReader(): FenceReader {
  const done: CodeFence[] = [];
  let marks = '';
  let language = '';
  let lines: string[] = [];

  function close(): void {
    if (marks !== '') done.push({ language, text: lines.join('\n') });
    marks = '';
    lines = [];
  }

  return {
    get isOpen() {
      return marks !== '';
    },
    open(trimmed) {
      const first = trimmed.includes('```') || trimmed.includes('~~~') ? OPENING.exec(trimmed) : null;
      if (!first) return null;
      marks = first[1]!;
      const label = first[2]!.trim();
      language = /^[{.]*([\w+#-]*)/.exec(label)![1]!.toLowerCase();
      return label;
    },
    add(raw, trimmed) {
      const isClosing =
        trimmed.startsWith(marks) && trimmed.replaceAll(marks.charAt(0), '') === '' && trimmed !== '';
      if (isClosing) close();
      else lines.push(raw);
      return !isClosing;
    },
    finish() {
      close();
      return done;
    },
  };
}

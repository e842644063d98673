import type { LineSpan } from '../../../model/context-pack.ts';

/** A patch by files. Lines of content never begin like this: they have a sign in front. */
export function splitDiff(text: string): string[] {
  return text.split(/^(?=diff --git )/m).filter((section) => section.startsWith('diff --git '));
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm;

/** Where the hunks of one file are in its new state. */
export function hunkSpans(section: string): LineSpan[] {
  return Array.from(section.matchAll(HUNK), ([, start, count = '1']) => {
    const startLine = Math.max(1, Number(start));
    return { startLine, endLine: Math.max(startLine, startLine + Number(count) - 1) };
  });
}

/** The paths of `--numstat -z` as they are now: `1\t2\tpath`, or for a rename `1\t2\t`, the old path, the new one. */
export function numstatPaths(text: string): string[] {
  const fields = text.split('\0');
  const paths: string[] = [];
  for (let at = 0; at < fields.length - 1; at++) {
    const path = fields[at]!.split('\t').slice(2).join('\t');
    if (path === '') at += 2;
    paths.push(path === '' ? fields[at]! : path);
  }
  return paths;
}

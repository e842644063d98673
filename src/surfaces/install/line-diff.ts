import { structuredPatch } from 'diff';

/** Lines of context around a change. */
const CONTEXT = 2;
const GAP = '  ...';

/** The difference of two texts for people: changed lines with their neighbours, `...` where lines are left out. */
export function lineDiff(before: string, after: string): readonly string[] {
  const options = { context: CONTEXT, stripTrailingCr: true, ignoreNewlineAtEof: true };
  const { hunks } = structuredPatch('', '', before, after, '', '', options);
  const shown: string[] = [];
  // A hunk that does not begin where the one before it ended follows a gap.
  let next = 1;
  for (const { oldStart, oldLines, lines } of hunks) {
    if (oldStart > next) shown.push(GAP);
    shown.push(
      ...lines.filter((line) => !line.startsWith('\\')).map((line) => `${line[0]} ${line.slice(1)}`),
    );
    next = oldStart + oldLines;
  }
  const isCutShort = hunks.length > 0 && next <= before.replace(/\r?\n$/, '').split('\n').length;
  return isCutShort && before !== '' ? [...shown, GAP] : shown;
}

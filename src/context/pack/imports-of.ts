import type { LineSpan } from '../../model/context-pack.ts';
import { isStatement } from '../../model/import-reference.ts';
import type { ItemSource } from './item-source.ts';
import type { LineSet } from './line-set.ts';

const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** A header brings in names that it does not spell: all of them, within reason. */
const MOST_INCLUDES = 12;
const LONGEST_IMPORT = 12;

/** Words of import statements that are no names. */
const SYNTAX = new Set(
  'import from as use using require include package const let var type typeof static export default mod pub crate self super this'.split(
    ' ',
  ),
);

/** The import statements that shown lines make use of. */
export function importsOf({ lines, imports }: ItemSource, shown: LineSet): LineSpan[] {
  if (imports.length === 0) return [];
  const used = new Set<string>();
  for (const { startLine, endLine } of shown.spans())
    for (const line of lines.slice(startLine - 1, endLine))
      for (const word of line.match(WORDS) ?? []) used.add(word);
  let includes = 0;
  return imports
    .filter(isStatement)
    .filter(({ kind, line, endLine }) => {
      if (shown.has(line) || endLine - line >= LONGEST_IMPORT) return false;
      if (kind === 'include') return includes++ < MOST_INCLUDES;
      return lines
        .slice(line - 1, endLine)
        .some((text) => (text.match(WORDS) ?? []).some((word) => !SYNTAX.has(word) && used.has(word)));
    })
    .map(({ line, endLine }) => ({ startLine: line, endLine }));
}

/** The data of one file in the view Package: its lines, which of them the agent gets, and their colours. */

import { createSourceReader, type ItemSource } from '../../context/compose/index.ts';
import type { ContextItem, ItemForm } from '../../model/context-pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { TextMarks } from '../../model/text-mark.ts';
import { isJsonObject, text } from '../../schema/schema.ts';
import { valueOrUndefined } from '../../schema/value-issues.ts';
import type { DataRoute } from './context.ts';
import { packageFor, readQuery } from './package-data.ts';

/** The answer of the route `file`. Line 1 is at place 0 of each list. */
export interface FileAnswer {
  readonly path: string;
  readonly form: ItemForm | null;
  readonly language: string;
  readonly lines: readonly string[];
  /** First and last lines of the stretches that are in the package. */
  readonly kept: readonly (readonly [number, number])[];
  /** By line: three numbers for each mark, its first and last column and its kind. Empty without colours. */
  readonly marks: readonly (readonly number[])[];
}

export const fileRoute: DataRoute = {
  path: 'file',
  async answer(context, given): Promise<FileAnswer> {
    const path = isJsonObject(given) ? (valueOrUndefined(text(), given.path) ?? '') : '';
    const { pack } = await packageFor(context, readQuery(given));
    const item = pack.items.find((one) => one.path === path);
    // Both lists have passed the guidelines, so this shows no file that an agent may not see.
    if (!item && !pack.omitted.some((one) => one.path === path))
      throw new LoadoutError('not-in-package', `${path} is not among the files of this package`, {
        hint: 'the view Why says where it ranks',
      });
    const source = await context.session.use(({ index, repository }) => {
      const options = { root: repository.root, redact: true, maxBytes: context.settings.maxFileBytes };
      return createSourceReader({ index, ...options }).read(path);
    });
    if (source === null)
      throw new LoadoutError('file-not-read', `${path} cannot be read any more`, { subject: path });
    const marks = await context.highlighter.marksOf(source.text, path);
    return {
      ...{ path, form: item?.form ?? null, language: source.language ?? '' },
      lines: source.lines,
      kept: item ? keptLines(item, source) : [],
      marks: marks === null ? [] : marksByLine(marks, source.lines),
    };
  },
};

function keptLines({ lineRuns, form }: ContextItem, source: ItemSource): FileAnswer['kept'] {
  const runs = lineRuns.flatMap(({ startLine, count }): [number, number][] =>
    startLine === null || count === 0 ? [] : [[startLine, startLine + count - 1]],
  );
  if (form !== 'signatures') return runs;
  // Signatures are no lines of the file: the lines that their definitions begin with stand for them.
  return source.symbols.map(({ startLine, signature }) => {
    return [startLine, startLine + signature.trimEnd().split('\n').length - 1] as const;
  });
}

/** Marks may run over several lines, and are cut at their ends. */
function marksByLine(marks: TextMarks, lines: readonly string[]): number[][] {
  let [line, lineStart] = [0, 0];
  const found: number[][] = lines.map(() => []);
  for (let at = 0; at < marks.length; at += 3) {
    const [start, end, kind] = [marks[at]!, marks[at + 1]!, marks[at + 2]!];
    while (line < lines.length && lineStart + lines[line]!.length < start)
      lineStart += lines[line++]!.length + 1;
    let [own, ownStart] = [line, lineStart];
    while (own < lines.length && ownStart < end) {
      const length = lines[own]!.length;
      const [first, last] = [Math.max(0, start - ownStart), Math.min(length, end - ownStart)];
      if (last > first) found[own]!.push(first, last, kind);
      ownStart += length + 1;
      own++;
    }
  }
  return found;
}

/**
 * Rankings and packages as text for people: rows with scores and reasons, how a task was read, and the short
 * report of a package.
 */

import type { Settings } from '../../../config/index.ts';
import { type ContextPack, ITEM_FORMS } from '../../../model/context-pack.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { RankedFile, RankedSymbol, Ranking } from '../../../model/ranking.ts';
import type { TaskAnalysis } from '../../../model/task-analysis.ts';
import { SHOWN_ID_LENGTH } from '../../hook/index.ts';
import type { CliIo } from '../command.ts';
import { align, type Colors, countOf, printable } from './output.ts';

/** Definitions below one file. */
const MAX_SYMBOLS = 6;

/** A ranking for people: score, path and why; with the definitions that matter below each file if wanted. */
export function formatRanking(
  { files }: Ranking,
  colors: Colors,
  { withSymbols = false, withReasons = false }: { withSymbols?: boolean; withReasons?: boolean } = {},
): string[] {
  const rows = align(
    files.map(({ path, combinedScore, reasons }) => [
      combinedScore.toFixed(2),
      printable(path),
      colors.dim(printable(reasons[0] ?? '')),
    ]),
  );
  return rows.flatMap((row, at) => [
    row,
    ...(withReasons ? reasonLines(files[at]!, colors) : []),
    ...(withSymbols ? symbolLines(files[at]!.symbols, colors) : []),
  ]);
}

/** The part of an analysis that `--json` prints: everything but the text and its single words. */
export function analysisJson({ action, domains, paths, symbols, frames, keywords }: TaskAnalysis) {
  const rounded = keywords.map(({ word, weight }) => ({ word, weight: Math.round(weight * 1e4) / 1e4 }));
  return { action, domains, paths, symbols, frames, keywords: rounded };
}

/** Values in one row of the analysis. */
const MAX_READ = 8;

/** The analysis of a task for people. */
export function formatAnalysis(
  { action, domains, paths, symbols, frames, keywords }: TaskAnalysis,
  { bold, dim }: Colors,
): string[] {
  const rows: [string, readonly string[]][] = [
    ['action', [action ?? 'not said']],
    ['domains', domains],
    ['paths', paths.map(({ path, line }) => (line === null ? path : `${path}:${line}`))],
    ['symbols', symbols.map(({ qualifiers, name }) => [...qualifiers, name].join('.'))],
    ['frames', frames.map(({ path, line, symbol }) => [path, line, symbol].filter(Boolean).join(':'))],
    ['keywords', keywords.map(({ word, weight }) => `${word} ${weight.toFixed(2)}`)],
  ];
  const lines = rows.flatMap(([name, all]) => {
    const found = [...new Set(all)];
    if (found.length === 0) return [];
    const more = found.length > MAX_READ ? ` and ${found.length - MAX_READ} more` : '';
    return [`  ${name.padEnd(8)}  ${printable(found.slice(0, MAX_READ).join(', '))}${dim(more)}`];
  });
  return [bold('the task was read as'), ...lines, ''];
}

/** All reasons but the first, which is in the row of the file. */
function reasonLines({ reasons }: RankedFile, colors: Colors): string[] {
  return reasons.slice(1).map((reason) => colors.dim(`        ${printable(reason)}`));
}

/** `10-42  Foo.bar` for each definition, indented below its file. */
export function symbolLines(
  symbols: readonly Pick<RankedSymbol, 'name' | 'startLine' | 'endLine'>[],
  colors: Colors,
): string[] {
  return symbols
    .slice(0, MAX_SYMBOLS)
    .map(({ name, startLine, endLine }) => colors.dim(`        ${startLine}-${endLine}  ${printable(name)}`));
}

/** The diagnostic of a repository without files. */
const NO_FILES = 'no-files';

/** Leaves out the diagnostic that `sayNothingRelevant` prints. */
export function withoutNoFiles(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => code !== NO_FILES);
}

/** The reason why the repository has no files to rank; null when it has some. */
export function noFilesMessage(diagnostics: readonly Diagnostic[]): string | null {
  const noFiles = diagnostics.find(({ code }) => code === NO_FILES);
  return noFiles ? `loadout: ${printable(noFiles.message)}\n` : null;
}

/** Prints on stderr that nothing is relevant, and why. Returns the exit code. */
export function sayNothingRelevant(
  io: CliIo,
  { minRelevance }: Settings,
  diagnostics: readonly Diagnostic[],
): number {
  const lower = minRelevance > 0 ? ', or lower --min-relevance' : '';
  io.stderr.write(
    noFilesMessage(diagnostics) ??
      `loadout: no file seems relevant to this task\nhint: say more in the task, name a file or a definition${lower}\n`,
  );
  return 1;
}

/** Characters of the bar that shows the use of the budget. */
const BAR_WIDTH = 24;
/** Files in the report; `--explain` lists all. */
const SHOWN_ITEMS = 5;

/** One line: `package 4f1c22ab90d3e617: 12 files, 29,120 of 30,000 tokens, secrets redacted in 2 files`. */
export function packReportLine({ id, ...rest }: ContextPack): string {
  return `package ${id.slice(0, SHOWN_ID_LENGTH)}: ${contentsLine(rest)}`;
}

/** The part that all reports share: files, tokens, redactions. */
export function contentsLine({
  items,
  tokenCount,
  tokenBudget,
  diagnostics,
}: Pick<ContextPack, 'tokenCount' | 'tokenBudget' | 'diagnostics'> & {
  readonly items: readonly unknown[];
}): string {
  const secrets = diagnostics.filter(({ code }) => code === 'secret-redacted').length;
  const redacted = secrets > 0 ? `, secrets redacted in ${countOf(secrets, 'file')}` : '';
  const tokens = `${tokenCount.toLocaleString('en-US')} of ${tokenBudget.toLocaleString('en-US')} tokens`;
  return `${countOf(items.length, 'file')}, ${tokens}${redacted}`;
}

/** Files in the line of the largest ones. */
const MAX_BIG_FILES = 5;

/** One line with the files that take most of the tokens, so that a user sees what to leave out. */
export function largestLine(items: readonly { readonly path: string; readonly tokens: number }[]): string {
  const largest = [...items]
    .sort((one, other) => other.tokens - one.tokens || (one.path < other.path ? -1 : 1))
    .slice(0, MAX_BIG_FILES);
  const shown = largest.map(({ path, tokens }) => `${printable(path)} ${tokens.toLocaleString('en-US')}`);
  return `largest: ${shown.join(', ')}`;
}

/** A report for a terminal: the number of files, the use of the budget, the best files. */
export function packReport(pack: ContextPack, milliseconds: number, { bold, dim }: Colors): string[] {
  const { id, items, tokenCount, tokenBudget } = pack;
  const forms = ITEM_FORMS.map((form) => [form, items.filter((item) => item.form === form).length] as const)
    .filter(([, count]) => count > 0)
    .map(([form, count]) => `${count} ${form}`);
  const share = tokenBudget > 0 ? tokenCount / tokenBudget : 0;
  const filled = Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH));
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
  const number = (value: number) => value.toLocaleString('en-US');
  return [
    `${bold(countOf(items.length, 'file'))} (${forms.join(', ')})`,
    `${bar} ${number(tokenCount)} of ${number(tokenBudget)} tokens (${Math.round(share * 100)} %)`,
    ...items.slice(0, SHOWN_ITEMS).map(({ path, form, tokens, combinedScore }) => {
      return `  ${combinedScore.toFixed(2)}  ${form.padEnd(10)}  ${number(tokens).padStart(7)}  ${printable(path)}`;
    }),
    ...(items.length > SHOWN_ITEMS ? [dim(`  and ${items.length - SHOWN_ITEMS} more`)] : []),
    dim(largestLine(items)),
    dim(`package ${id.slice(0, SHOWN_ID_LENGTH)}, ${(milliseconds / 1000).toFixed(2)} s`),
  ];
}

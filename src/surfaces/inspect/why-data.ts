/** The data of the view Why: the place of one file in the ranking, its signals, its commits and its neighbours. */

import { guardFiles } from '../../context/guidelines/index.ts';
import { analyzeFor, rankScan } from '../../context/rank.ts';
import type { IndexView } from '../../model/index-view.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { SIGNALS, type Signal } from '../../model/ranking.ts';
import type { EdgeList } from '../../model/snapshot.ts';
import { loadHistory } from '../../scan/history/index.ts';
import { isJsonObject, text } from '../../schema/schema.ts';
import { valueOrUndefined } from '../../schema/value-issues.ts';
import type { DataRoute } from './context.ts';

/** A file beside the one that is asked about. */
interface Neighbour {
  readonly path: string;
  readonly edge: 'imports' | 'imported by' | 'tests' | 'tested by';
}

/** The answer of the route `why`. */
export interface WhyAnswer {
  readonly path: string;
  /** From 1; null for a file without a score. */
  readonly place: number | null;
  /** How many files have a score. */
  readonly ranked: number;
  /** The score of the first file. */
  readonly bestScore: number;
  readonly score: number;
  readonly signals: readonly { readonly name: Signal; readonly value: number; readonly best: number }[];
  readonly reasons: readonly string[];
  readonly symbols: readonly {
    readonly name: string;
    readonly line: number;
    readonly words: readonly string[];
  }[];
  readonly commits: readonly { readonly id: string; readonly subject: string }[];
  readonly neighbours: readonly Neighbour[];
  readonly neighboursLeftOut: number;
  /** Why it is not higher, in sentences; empty for the first file. */
  readonly lacks: readonly string[];
}

/** No package looks at a file after these. */
const MAX_RANKED = 300;
/** More would not be readable. */
const MAX_NEIGHBOURS = 59;
const MAX_COMMITS = 12;
const MAX_SYMBOLS = 12;

export const whyRoute: DataRoute = {
  path: 'why',
  async answer({ session, settings, userDirectory, signal }, given): Promise<WhyAnswer> {
    const query = isJsonObject(given) ? given : {};
    const path = valueOrUndefined(text(), query.path)?.trim() ?? '';
    const task = valueOrUndefined(text(), query.task)?.trim() ?? '';
    if (task === '') throw new LoadoutError('empty-task', 'the task is empty');
    return session.use(async (scan) => {
      const { index, repository, result } = scan;
      const analysis = analyzeFor(scan, task, settings);
      const guard = await guardFiles({ root: repository.root, analysis, userDirectory });
      const ranking = await rankScan(scan, {
        analysis,
        guard,
        settings: { ...settings, minRelevance: 0 },
        task,
        limit: MAX_RANKED,
        ...(path === '' ? {} : { about: path }),
        userDirectory,
        signal,
      });
      const { files, placed } = ranking;
      const place = path === '' ? (files.length > 0 ? 0 : -1) : placed.place;
      const found = path === '' ? files[0] : files.find((one) => one.path === path);
      const name = found?.path ?? path;
      const best = (signalName: Signal) => Math.max(0, ...files.map(({ signals }) => signals[signalName]));
      const signals = SIGNALS.map((one) => ({ name: one, value: found?.signals[one] ?? 0, best: best(one) }));
      const kept = guard.keptBy(name);
      const number = index.snapshot.files.findIndex((one) => one.path === name);
      // A guideline that hides the file hides its history and its neighbours as well.
      const neighbours = kept ? [] : neighboursOf(index, number).filter((one) => guard.allow(one.path));
      const history = await loadHistory(repository, result.gitSha || null, { limit: settings.historyLimit });
      return {
        path: name,
        place: place < 0 ? null : place + 1,
        ranked: placed.scored,
        bestScore: files[0]?.combinedScore ?? 0,
        score: found?.combinedScore ?? 0,
        signals,
        reasons: found?.reasons ?? [],
        symbols: (found?.symbols ?? []).slice(0, MAX_SYMBOLS).map(({ name: symbol, startLine, words }) => {
          return { name: symbol, line: startLine, words };
        }),
        commits: kept ? [] : commitsOf(history, name),
        neighbours: neighbours.slice(0, MAX_NEIGHBOURS),
        neighboursLeftOut: Math.max(0, neighbours.length - MAX_NEIGHBOURS),
        lacks: kept ? [`the guideline ${kept} keeps it out`] : lacksOf(index, number, name, place, signals),
      };
    });
  },
};

type History = Awaited<ReturnType<typeof loadHistory>>;

function commitsOf(history: History, path: string): WhyAnswer['commits'] {
  const file = history.paths.indexOf(path);
  if (file < 0) return [];
  const found: { id: string; subject: string }[] = [];
  for (let commit = 0; commit < history.ids.length && found.length < MAX_COMMITS; commit++) {
    const files = history.files.subarray(history.fileStarts[commit]!, history.fileStarts[commit + 1]!);
    if (files.includes(file))
      found.push({ id: history.ids[commit]!.slice(0, 10), subject: history.subjects[commit]! });
  }
  return found;
}

function neighboursOf({ links, snapshot }: IndexView, file: number): Neighbour[] {
  if (file < 0) return [];
  const named = (numbers: Iterable<number>, edge: Neighbour['edge']) =>
    [...numbers].filter((one) => one !== file).map((one) => ({ path: snapshot.files[one]!.path, edge }));
  return [
    ...named(from(links.tests, file), 'tests'),
    ...named(to(links.tests, file), 'tested by'),
    ...named(from(links.imports, file), 'imports'),
    ...named(to(links.imports, file), 'imported by'),
  ];
}

const from = ({ starts, targets }: EdgeList, file: number) =>
  targets.subarray(starts[file]!, starts[file + 1]!);

function to({ starts, targets }: EdgeList, file: number): number[] {
  const found: number[] = [];
  for (let one = 0; one + 1 < starts.length; one++)
    if (targets.subarray(starts[one]!, starts[one + 1]!).includes(file)) found.push(one);
  return found;
}

/** What keeps a file from a better place, in sentences. `place` is from 0, or -1. */
function lacksOf(
  { snapshot }: IndexView,
  number: number,
  path: string,
  place: number,
  signals: WhyAnswer['signals'],
): string[] {
  const file = snapshot.files[number];
  if (!file) return [`the index has no file ${path}: the name is wrong, or the file is ignored`];
  if (file.skip !== null) return [`the scan skipped it: ${file.skip}`];
  if (place === 0) return [];
  if (place < 0) return ['nothing in it fits the task, so it has no score'];
  return [
    ...(place >= MAX_RANKED ? [`a package looks at the first ${MAX_RANKED} files at most`] : []),
    ...signals
      .filter(({ value, best }) => best > 0 && value < best / 4)
      .map(({ name, value }) => LACKS[name][value === 0 ? 'none' : 'little']),
  ];
}

/** What is missing, as a person would say it. */
const LACKS: Readonly<Record<Signal, { readonly none: string; readonly little: string }>> = {
  path: { none: 'its path has no word of the task', little: 'its path has few words of the task' },
  symbol: {
    none: 'it defines nothing that the task names',
    little: 'its definitions fit the task less than those of other files',
  },
  lexical: { none: 'its text has no word of the task', little: 'its text has few words of the task' },
  semantic: {
    none: 'its text is not about the same things as the task',
    little: 'its text is hardly about the same things as the task',
  },
  graph: {
    none: 'no relevant file imports it, and it imports none',
    little: 'few relevant files import it, and it imports few',
  },
  history: {
    none: 'no commit like this task changed it',
    little: 'few commits like this task changed it',
  },
};

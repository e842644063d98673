// The data of the view Repository: languages, sizes, hot spots, resolved imports, skipped files and the state of the index.

import type { Settings } from '../../config/index.ts';
import type { CommitHistory } from '../../model/commit-history.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { describeSkip, type FileRole, type SkipReason } from '../../model/file-entry.ts';
import { DOCUMENT, type IndexView } from '../../model/index-view.ts';
import type { LanguageLinks, ScanResult, SnapshotFile } from '../../model/snapshot.ts';
import { safeData } from '../../redact/index.ts';
import { loadHistory } from '../../scan/history/index.ts';
import type { IndexSession } from '../../scan/index.ts';

/** Sums over some files. */
interface FileSums {
  readonly files: number;
  readonly bytes: number;
  readonly lines: number;
  readonly symbols: number;
}

/** A file that changes often: where work goes on, and where mistakes are likely. */
interface HotSpot {
  readonly path: string;
  readonly language: string | null;
  readonly lines: number;
  /** Commits of the history that changed it. */
  readonly changes: number;
}

/** Everything that the view Repository shows. */
export interface RepositoryData {
  readonly root: string;
  /** Empty outside of git. */
  readonly commit: string;
  readonly totals: FileSums;
  /** Those with the most bytes first; null stands for files without a known language. */
  readonly languages: readonly (FileSums & { readonly language: string | null })[];
  readonly roles: readonly (FileSums & { readonly role: FileRole })[];
  /** Those with the most changed lines first (changes by lines); files of others and generated ones are left out. */
  readonly hotSpots: readonly HotSpot[];
  /** The number of commits that `hotSpots` counts. */
  readonly commits: number;
  /** `share` is that of the imports that name something inside; null when there is none. */
  readonly imports: readonly (LanguageLinks & { readonly share: number | null })[];
  /** The most frequent reason first. */
  readonly skipped: readonly {
    readonly reason: SkipReason;
    readonly sentence: string;
    readonly count: number;
    /** The first ones. */
    readonly paths: readonly string[];
  }[];
  readonly index: {
    readonly id: string;
    readonly segments: number;
    readonly edges: number;
    readonly mode: ScanResult['mode'];
    readonly filesChanged: number;
    readonly durationSeconds: number;
    /** `limited` when there is a warning. */
    readonly state: 'ok' | 'limited';
    readonly diagnostics: readonly Diagnostic[];
  };
}

const MAX_HOT_SPOTS = 300;
const MAX_SKIPPED_PATHS = 50;
const MAX_DIAGNOSTICS = 100;

/** The answer for the page. It has no question: the view is about all of the repository. */
export const repositoryRoute = {
  path: 'repository',
  answer: ({ session, settings, signal }: RepositoryContext): Promise<RepositoryData> =>
    session.use(async ({ index, result, repository }) => {
      const limit = settings.historyLimit;
      const history = await loadHistory(repository, result.gitSha || null, { limit, signal });
      return repositoryData(index, result, history);
    }),
};

/** The part of the inspector's context that is needed here. */
interface RepositoryContext {
  readonly session: Pick<IndexSession, 'use'>;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** Reads an open index and the commits of its repository. */
export function repositoryData(index: IndexView, result: ScanResult, history: CommitHistory): RepositoryData {
  const { snapshot } = index;
  const files = snapshot.files
    .filter(({ skip }) => skip === null)
    .map((file) => ({ file, lines: linesOf(index, file) }));
  return safeData({
    root: snapshot.root,
    commit: snapshot.gitSha,
    totals: sumsOf(files),
    languages: groups(files, ({ file }) => file.language).map(([language, own]) => ({
      ...{ language, ...sumsOf(own) },
    })),
    roles: groups(files, ({ file }) => file.classification.role).map(([role, own]) => ({
      ...{ role, ...sumsOf(own) },
    })),
    hotSpots: hotSpotsOf(files, history),
    commits: history.ids.length,
    imports: result.links
      .toSorted((a, b) => b.imports - a.imports)
      .map((one) => ({ ...one, share: one.imports === 0 ? null : one.resolved / one.imports })),
    skipped: skippedOf(result),
    index: indexState(index, result, history),
  });
}

/** A file and its lines. */
interface MeasuredFile {
  readonly file: SnapshotFile;
  readonly lines: number;
}

/** 0 for a file of which the index has nothing. */
function linesOf(index: IndexView, file: SnapshotFile): number {
  return file.segment < 0 ? 0 : index.segmentOf(file).document(file.document, DOCUMENT.lineCount);
}

function sumsOf(files: readonly MeasuredFile[]): FileSums {
  const sum = (measure: (one: MeasuredFile) => number) => files.reduce((all, one) => all + measure(one), 0);
  return {
    files: files.length,
    bytes: sum(({ file }) => file.size),
    lines: sum(({ lines }) => lines),
    symbols: sum(({ file }) => file.symbolCount),
  };
}

/** Files by a key, the group with the most bytes first. */
function groups<Key>(
  files: readonly MeasuredFile[],
  keyOf: (one: MeasuredFile) => Key,
): readonly (readonly [Key, readonly MeasuredFile[]])[] {
  const found = new Map<Key, MeasuredFile[]>();
  for (const one of files) {
    const group = found.get(keyOf(one));
    if (group) group.push(one);
    else found.set(keyOf(one), [one]);
  }
  const bytes = new Map([...found].map(([key, own]) => [key, sumsOf(own).bytes]));
  return [...found].sort(([a], [b]) => bytes.get(b)! - bytes.get(a)!);
}

function hotSpotsOf(files: readonly MeasuredFile[], history: CommitHistory): readonly HotSpot[] {
  const changes = new Map<string, number>();
  for (const place of history.files) {
    const path = history.paths[place]!;
    changes.set(path, (changes.get(path) ?? 0) + 1);
  }
  return files
    .filter(({ file }) => !file.classification.generated && !file.classification.vendored)
    .map(({ file: { path, language }, lines }) => ({
      ...{ path, language, lines, changes: changes.get(path) ?? 0 },
    }))
    .filter((one) => one.changes > 0 && one.lines > 0)
    .sort((a, b) => b.changes * b.lines - a.changes * a.lines || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_HOT_SPOTS);
}

function skippedOf({ filesSkipped }: ScanResult): RepositoryData['skipped'] {
  const found = new Map<SkipReason, string[]>();
  for (const { path, reason } of filesSkipped) {
    const paths = found.get(reason);
    if (paths) paths.push(path);
    else found.set(reason, [path]);
  }
  return [...found]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, paths]) => ({
      ...{ reason, sentence: describeSkip(reason), count: paths.length },
      paths: paths.slice(0, MAX_SKIPPED_PATHS),
    }));
}

function indexState(
  { snapshot, links }: IndexView,
  { mode, filesChanged, durationSeconds, diagnostics: own }: ScanResult,
  history: CommitHistory,
): RepositoryData['index'] {
  const diagnostics = [...own, ...history.diagnostics];
  return {
    ...{ id: snapshot.id, segments: snapshot.segments.length, edges: links.imports.targets.length },
    ...{ mode, filesChanged, durationSeconds },
    state: diagnostics.some(({ severity }) => severity === 'warning') ? 'limited' : 'ok',
    diagnostics: diagnostics.slice(0, MAX_DIAGNOSTICS),
  };
}

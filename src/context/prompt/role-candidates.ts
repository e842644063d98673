import type { IndexView } from '../../model/index-view.ts';
import type { RankedFile } from '../../model/ranking.ts';
import {
  type Candidate,
  type ChangedFile,
  changeCandidates,
  needOf,
  type SourceReader,
} from '../compose/index.ts';
import type { PartCandidate } from './file-section.ts';
import type { PromptReader } from './prompt-limits.ts';
import type { FilePartKey } from './prompt-parts.ts';
import type { RoleFiles } from './role-files.ts';

// Chooses the files that share the room of a prompt, and estimates how much each one is needed.

/** Where candidates come from. */
export interface GatherRequest {
  readonly index: IndexView;
  readonly sources: SourceReader;
  readonly reader: PromptReader;
  readonly files: RoleFiles;
  readonly change: readonly ChangedFile[];
  /** The files for `$RELATED`, best first. */
  readonly ranked: readonly RankedFile[];
  /** Files that another part of the prompt shows. */
  readonly taken: ReadonlySet<string>;
  /** The parts in the order of their importance. Earlier parts get more of the room. */
  readonly order: readonly string[];
}

/** The candidates of all parts. */
export interface GatheredCandidates {
  readonly list: readonly PartCandidate[];
  /** Files that were asked for but cannot be shown, and why. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

/** How likely the first file of each kind is needed, 0..1. */
const NEED = { changed: 1, imports: 0.3, tests: 0.25, plain: 0.12 };
/** How fast the need falls with the position: `need / position ** fallOff`. */
const FALL_OFF = { imports: 0.5, tests: 0.7, plain: 0.3 };
const MAX_OF_A_KIND = 200;
/** The weight of a part as a share of the weight of the part before it. */
const NEXT_PART = 0.85;

/** Collects the files for the optional parts: changed files, imports, related files, and files that globs name. */
export function gatherCandidates(request: GatherRequest): GatheredCandidates {
  const { index, sources, reader, files, ranked, order, taken } = request;
  const byPath = new Map(ranked.map((one) => [one.path, one]));
  const places = new Map(ranked.map(({ path }, place) => [path, place]));
  const placeOf = (path: string) => places.get(path) ?? ranked.length;
  const seen = new Set(taken);
  const list: PartCandidate[] = [];
  const skipped: { path: string; why: string }[] = [];
  const weights = new Map(order.map((key, place) => [key, NEXT_PART ** place]));
  const put = (key: FilePartKey, candidate: Candidate) => {
    const need = candidate.need * (weights.get(key) ?? NEXT_PART ** order.length);
    list.push({ key, candidate: { ...candidate, isAsked: false, need } });
  };
  const add = (key: FilePartKey, path: string, need: number, reason: string) => {
    if (seen.has(path) || !files.allow(path)) return;
    seen.add(path);
    const read = reader.read(path);
    if (read.kind === 'gone') return;
    if (read.kind !== 'text') skipped.push({ path, why: read.kind });
    else
      put(key, {
        source: read.source,
        ranked: byPath.get(path) ?? null,
        origin: 'ast',
        isAsked: false,
        need,
        reason,
      });
  };
  const addAll = (
    key: FilePartKey,
    kind: keyof typeof FALL_OFF,
    paths: readonly string[],
    reason: string,
  ) => {
    // Files that rank high for the task come first.
    const sorted = paths
      .map((path, at) => ({ path, at }))
      .sort((one, other) => {
        return placeOf(one.path) - placeOf(other.path) || one.at - other.at;
      });
    for (const [at, { path }] of sorted.slice(0, MAX_OF_A_KIND).entries())
      add(key, path, NEED[kind] / (at + 1) ** FALL_OFF[kind], reason);
  };

  // Each file goes to the first part that asks for it.
  const named = (name: string) => files.include.variables.find((variable) => variable.name === name);
  if (named('$CHANGED_FILES')) {
    const changed = new Set(request.change.map(({ path }) => path));
    for (const candidate of changeCandidates(request.change, index, sources, files.allow)) {
      const { path } = candidate.source;
      if (!changed.has(path) || seen.has(path) || reader.read(path).kind !== 'text') continue;
      seen.add(path);
      put('changed_files', { ...candidate, need: NEED.changed });
    }
  }
  for (const variable of files.include.variables) {
    const paths = files.filesOf(variable);
    if (variable.name === '$TARGET_IMPORTS') addAll('imports', 'imports', paths, 'imported');
    if (variable.name === '$TESTS') addAll('related', 'tests', paths, 'tests it');
  }
  if (named('$RELATED')) {
    const best = ranked[0]?.combinedScore ?? 0;
    for (const [rank, { path, combinedScore, reasons }] of ranked.entries())
      add('related', path, needOf(rank, combinedScore, best), reasons.join('; ') || 'relevant by its score');
  }
  addAll('files', 'plain', files.plain, 'named by the role');
  return { list, skipped };
}

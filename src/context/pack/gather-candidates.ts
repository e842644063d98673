import type { ItemSource as ItemOrigin } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RankedFile } from '../../model/ranking.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { createPathFilter } from '../../scan/discover/path-filter.ts';
import { needOf } from './form-values.ts';
import type { Candidate } from './item-forms.ts';
import type { SourceReader } from './item-source.ts';
import type { WantedFile } from './package-request.ts';

/** Of all files that are always included together: what they may cost is the user's to say, but not without end. */
const MAX_ALWAYS_BYTES = 2 * 1024 * 1024;

/** They come after what the task needs, and before what hardly anybody does. */
const NEED_OF_ALSO = 0.01;
const MAX_ALSO = 100;

export interface CandidatesRequest {
  readonly files: readonly SnapshotFile[];
  readonly sources: SourceReader;
  /** Best first. */
  readonly ranked: readonly RankedFile[];
  readonly targets: readonly string[];
  readonly alwaysInclude: readonly string[];
  /** Patterns of files that belong in where there is room. */
  readonly alsoInclude?: readonly string[];
  /** Files like those of `alwaysInclude`, by name. */
  readonly always?: readonly string[];
  /** Files that are needed whatever their rank. */
  readonly wanted?: readonly WantedFile[];
  readonly allow: (path: string) => boolean;
  /** Files that stand in the package as something else. */
  readonly elsewhere: ReadonlySet<string>;
  /** The change under review and what is around it. */
  readonly change: readonly Candidate[];
}

export interface Candidates {
  /** Targets, then what is always included, then the others, best first. */
  readonly list: readonly Candidate[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Everything that may go in. */
export function gatherCandidates(request: CandidatesRequest): Candidates {
  const { sources, ranked, targets, elsewhere } = request;
  const byPath = new Map(ranked.map((one) => [one.path, one]));
  const diagnostics: Diagnostic[] = [];
  const list: Candidate[] = [];
  const taken = new Set<string>();
  const bestScore = ranked[0]?.combinedScore ?? 0;
  const add = (path: string, origin: ItemOrigin, need: number, reason: string) => {
    if (taken.has(path)) return;
    const source = sources.read(path);
    if (source === null) {
      diagnostics.push(vanished(path));
      return;
    }
    taken.add(path);
    if (source.isStale) diagnostics.push(changed(path));
    const isAsked = origin === 'target' || origin === 'always';
    list.push({ source, ranked: byPath.get(path) ?? null, origin, isAsked, need, reason });
  };
  for (const path of targets) add(path, 'target', 1, 'named as a target');
  const always = alwaysIncluded(request);
  for (const path of always.paths) add(path, 'always', 1, 'always included');
  for (const candidate of request.change) {
    if (taken.has(candidate.source.path)) continue;
    taken.add(candidate.source.path);
    list.push(candidate);
  }
  const wanted = new Map((request.wanted ?? []).map((one) => [one.path, one]));
  ranked.forEach((one, rank) => {
    if (elsewhere.has(one.path) || isEmpty(sources, one.path)) return;
    const need = Math.max(needOf(rank, one.combinedScore, bestScore), wanted.get(one.path)?.need ?? 0);
    add(one.path, originOf(one), need, one.reasons.join('; ') || 'relevant by its score');
  });
  for (const { path, need, reason } of wanted.values())
    if (!elsewhere.has(path)) add(path, 'ast', need, reason);
  for (const path of alsoIncluded(request)) add(path, 'ast', NEED_OF_ALSO, 'named by the role');
  return { list, diagnostics: [...always.diagnostics, ...diagnostics] };
}

/** An empty `__init__.py` has nothing to show, however well its path fits. */
function isEmpty(sources: SourceReader, path: string): boolean {
  return sources.read(path)?.text.trim() === '';
}

function originOf({ astScore, semanticScore }: RankedFile): ItemOrigin {
  if (semanticScore === 0) return 'ast';
  return astScore === 0 ? 'semantic' : 'both';
}

function alsoIncluded({ files, alsoInclude = [], allow, elsewhere }: CandidatesRequest): string[] {
  if (alsoInclude.length === 0) return [];
  const filter = createPathFilter(alsoInclude, []);
  const wanted = files.filter(({ path, skip }) => {
    return skip === null && !elsewhere.has(path) && allow(path) && filter.accepts(path);
  });
  return wanted.slice(0, MAX_ALSO).map(({ path }) => path);
}

function alwaysIncluded({ files, alwaysInclude, always = [], allow, targets }: CandidatesRequest) {
  const paths: string[] = [];
  const diagnostics: Diagnostic[] = [];
  if (alwaysInclude.length === 0 && always.length === 0) return { paths, diagnostics };
  const filter = alwaysInclude.length > 0 ? createPathFilter(alwaysInclude, []) : null;
  const named = new Set(always);
  const isMeant = (path: string) => named.has(path) || (allow(path) && filter?.accepts(path) === true);
  let left = MAX_ALWAYS_BYTES;
  for (const { path, size, skip } of files) {
    if (skip !== null || targets.includes(path) || !isMeant(path)) continue;
    if (size > left) diagnostics.push(tooMuch(path));
    else {
      left -= size;
      paths.push(path);
    }
  }
  return { paths, diagnostics };
}

function tooMuch(path: string): Diagnostic {
  return {
    code: 'always-include-full',
    severity: 'warning',
    message: `${path} is left out: what is always included would have more than ${MAX_ALWAYS_BYTES} bytes`,
    path,
  };
}

function changed(path: string): Diagnostic {
  return {
    code: 'file-changed',
    severity: 'info',
    message: `${path} changed while the package was built: it is taken as plain text`,
    path,
  };
}

function vanished(path: string): Diagnostic {
  return {
    code: 'file-not-read',
    severity: 'warning',
    message: `${path} could not be read any more`,
    path,
  };
}

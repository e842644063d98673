import { LoadoutError } from '../model/loadout-error.ts';
import { openSafeRoot } from '../platform/fs/safe-root.ts';
import { type IndexSession, useIndex } from '../scan/index-session.ts';
import type { OpenScan } from '../scan/run-scan.ts';
import { loadTokenCounter } from './fit/count-tokens.ts';
import { loadModelCounter } from './fit/models.ts';
import { type FileGuard, guardFiles, type KeptFile, keptOut } from './guidelines/guard-files.ts';
import { accountFor, assemblePack } from './pack/assemble-pack.ts';
import { changeCandidates } from './pack/change/change-candidates.ts';
import { readChange } from './pack/change/read-change.ts';
import { checkListed, checkTargets } from './pack/check-targets.ts';
import { countPieces } from './pack/count-pieces.ts';
import { disabledPackage } from './pack/disabled-package.ts';
import { finishPack } from './pack/finish-pack.ts';
import { type ChosenForm, fitCandidates } from './pack/fit-candidates.ts';
import { gatherCandidates } from './pack/gather-candidates.ts';
import { formsOf } from './pack/item-forms.ts';
import { offersFor } from './pack/offers.ts';
import { describeSurroundings, openContext } from './pack/pack-context.ts';
import type { BuiltPackage, PackageRequest } from './pack/package-request.ts';
import { inParts } from './pack/split/in-parts.ts';
import { useUpRoom } from './pack/use-up-room.ts';
import { analyzeFor, type RankedScan, rankScan } from './rank.ts';
import { resolveTokenCount } from './render/resolve-token-count.ts';

/** Files that are looked at for each thousand tokens of the budget, within limits. */
const CANDIDATES_PER_THOUSAND = 3;
const MIN_CANDIDATES = 40;
const MAX_CANDIDATES = 300;
const NO_RANKING: Omit<RankedScan, 'analysis'> & Partial<RankedScan> = {
  files: [],
  diagnostics: [],
  kept: [],
};
/** What a selection answers for. */
const OVERRULED = { alwaysInclude: [], alsoInclude: [] };

/**
 * Builds the context package for a task: what the repository holds that the task needs, inside the token budget.
 * Nothing is in it when the budget has no room for a single file; `diagnostics` and `omitted` say why.
 */
export async function buildPackage(request: PackageRequest, session?: IndexSession): Promise<BuiltPackage> {
  const { settings, task, model } = request;
  if (task.trim() === '' && request.change === undefined)
    throw new LoadoutError('empty-task', 'the task is empty', { hint: 'say in a line what is to be done' });
  const targets = checkTargets(openSafeRoot(request.repo), request.targets ?? [], settings.maxFileBytes);
  if (!settings.enabled) return disabledPackage(request);
  // the tables take a moment to load: they do while git answers
  const counting = model ? loadModelCounter(model) : loadTokenCounter('o200k_base');
  const pack = async (scan: OpenScan) => packScan(request, scan, targets, await counting);
  if (!session) return useIndex({ ...request, mode: settings.scanMode, isAwaited: true }, pack);
  const built = await session.use(pack);
  if (!metChangedFile(built)) return built;
  // A file changed so recently that the session has not seen it: scan again.
  session.refresh();
  return session.use(pack);
}

function metChangedFile({ pack }: BuiltPackage): boolean {
  return pack.diagnostics.some(({ code }) => code === 'file-changed' || code === 'file-not-read');
}

/** The same for a repository that has just been scanned. */
export async function packScan(
  given: PackageRequest,
  scan: OpenScan,
  named: readonly string[],
  count: (text: string) => number,
): Promise<BuiltPackage> {
  if (given.onlyListedTargets) checkListed(scan.index.snapshot.files, named);
  const { index, repository } = scan;
  const { root } = repository;
  const hasTask = given.task.trim() !== '';
  const analysis = hasTask ? analyzeFor(scan, given.task, given.settings, given.domain) : null;
  const said = given.action === undefined ? {} : { action: given.action };
  const situation = analysis ? { ...analysis, ...said } : null;
  const guard = await guardFiles({ ...given, root, analysis: situation, targets: named });
  const [targets, keptTargets] = parted(named, guard);
  const selection = await given.select?.(scan, targets);
  const own = selection ? { ...given, ...OVERRULED, allow: selection.allow } : given;
  const allowed = (path: string) => guard.allow(path) && own.allow?.(path) !== false;
  const request = { ...own, allow: allowed };
  const { strategy = 'value', signal, alwaysInclude = [] } = request;
  const context = openContext(request, scan, targets, count);
  const { budget, render, sources, allow } = context;
  const ranking = analysis
    ? await rankScan(scan, { ...own, guard, analysis, limit: candidateLimit(budget) })
    : NO_RANKING;
  const change = request.change
    ? await readChange(repository.git, repository.root.path, request.change)
    : (selection?.change ?? []);
  signal?.throwIfAborted();
  const surroundings = await describeSurroundings(context, request, scan, change, ranking.diagnostics);
  const candidates = gatherCandidates({
    files: index.snapshot.files,
    sources,
    ranked: ranking.files,
    targets,
    alwaysInclude,
    alsoInclude: request.alsoInclude ?? [],
    always: (selection?.always ?? []).filter(guard.allow),
    wanted: (selection?.wanted ?? []).filter(({ path }) => guard.allow(path)),
    change: changeCandidates(change, index, sources, allow),
    allow,
    elsewhere: new Set(surroundings.conventions.flatMap(({ path, cut }) => (cut ? [] : [path]))),
  });
  const setting = {
    ...surroundings,
    diagnostics: [
      ...surroundings.diagnostics,
      ...guard.diagnostics,
      ...keptTargets.map(keptOut),
      ...(selection?.diagnostics ?? []),
      ...candidates.diagnostics,
    ],
    kept: [...keptTargets, ...ranking.kept],
  };
  const options = { render, count, limit: budget };
  const offers = offersFor(candidates.list, strategy, budget);
  const priced = candidates.list.map((candidate, at) => ({
    candidate,
    forms: formsOf(candidate, { ...options, offer: offers[at]! }),
  }));
  signal?.throwIfAborted();
  const assemble = (chosen: readonly ChosenForm[]) => assemblePack(setting, priced, chosen);
  // JSON shows its own accounts, so they are part of what has to fit
  const finish = (chosen: readonly ChosenForm[]) =>
    resolveTokenCount(accountFor(assemble(chosen), priced, setting, render, count), render, count);
  const { textOf, countText } = countPieces(render, count);
  const textFor = (chosen: readonly ChosenForm[]) =>
    render.format === 'json' ? finish(chosen).text : textOf(assemble(chosen));
  const fit = fitCandidates(priced, strategy, budget, textFor, countText);
  const { chosen, text, tokens } = useUpRoom(fit, { ...options, countText }, textFor);
  const pack = accountFor(assemble(chosen), priced, setting, render, count);
  const built: BuiltPackage = {
    ...finishPack({ ...pack, tokenCount: tokens }, text, repository.root),
    ...(analysis ? { analysis } : {}),
  };
  return request.split === undefined ? built : inParts(built, request.split, context);
}

/** What may be shown, and what guidelines keep out. */
function parted(paths: readonly string[], guard: FileGuard): [string[], KeptFile[]] {
  const kept = paths.flatMap((path) => {
    const guideline = guard.keptBy(path);
    return guideline === null ? [] : [{ path, guideline }];
  });
  return [paths.filter(guard.allow), kept];
}

function candidateLimit(budget: number): number {
  const wanted = Math.round((budget / 1_000) * CANDIDATES_PER_THOUSAND);
  return Math.max(MIN_CANDIDATES, Math.min(MAX_CANDIDATES, wanted));
}

import { type IndexSession, type OpenScan, useIndex } from '../scan/index.ts';
import {
  type Candidate,
  type ChangedFile,
  type ComposeContext,
  describeSurroundings,
  disabledPackage,
  draftPackage,
  fillRemainder,
  finishPack,
  fitFiles,
  fitWorthwhile,
  openContext,
  priceFiles,
  readChange,
  withText,
} from './compose/index.ts';
import { type CountTokens, loadModelCounter } from './fit/index.ts';
import {
  type BuiltPackage,
  checkListed,
  checkRequest,
  filesInSight,
  gatherCandidates,
  inParts,
  type PackageRequest,
} from './pack/index.ts';
import { analyzeFor, type RankedScan, rankScan } from './rank.ts';

/**
 * Builds the context package for a task: what the repository holds that the task needs, inside the token budget.
 * Nothing is in it when the budget has no room for a single file; `diagnostics` and `omitted` say why.
 */
export async function buildPackage(request: PackageRequest, session?: IndexSession): Promise<BuiltPackage> {
  // Refuse what cannot be packed before anything else happens.
  const targets = checkRequest(request);
  if (!request.settings.enabled) return disabledPackage(request);

  // Load the tables of the tokenizer while git answers.
  const counting = loadModelCounter(request.model);

  // Bring the index up to date, and pack from it.
  const pack = async (scan: OpenScan) => packScan(request, scan, targets, await counting);
  if (!session) return useIndex({ ...request, mode: request.settings.scanMode, isAwaited: true }, pack);
  const built = await session.use(pack);
  if (!metChangedFile(built)) return built;

  // A file changed so recently that the session has not seen it: scan again.
  session.refresh();
  return session.use(pack);
}

/** The recipe: gather, price, fit, render, account. */
export async function packScan(
  given: PackageRequest,
  scan: OpenScan,
  named: readonly string[],
  count: CountTokens,
): Promise<BuiltPackage> {
  const { strategy = 'value', signal, split, rank = rankScan } = given;
  if (given.onlyListedTargets)
    checkListed(scan.index.snapshot.files, [...named, ...Object.keys(given.forms ?? {})]);

  // Read the task. Then guidelines and the role say which files this reader may see.
  const analysis =
    given.task.trim() === '' ? null : analyzeFor(scan, given.task, given.settings, given.domain);
  const sight = await filesInSight(given, scan, named, analysis);
  const request = { ...given, ...sight.choice };
  const context = openContext({ ...request, allow: sight.allow }, scan, sight.targets, count);

  // Gather: rank all files, read the change under review, and list every file that may go in.
  const limit = candidateLimit(context);
  const ranking = analysis
    ? await rank(scan, { ...request, guard: sight.guard, analysis, limit })
    : NO_RANKING;
  const change = await changeUnderReview(request, scan, sight.change);
  signal?.throwIfAborted();
  const surroundings = await describeSurroundings(context, request, scan, change, ranking.diagnostics);
  const candidates = gatherCandidates({
    ...{ context, index: scan.index, ranked: ranking.files, change, conventions: surroundings.conventions },
    ...{ always: sight.always, wanted: sight.wanted, analysis },
    forms: new Map(Object.entries(request.forms ?? {})),
    ...{ alwaysInclude: request.alwaysInclude ?? [], alsoInclude: request.alsoInclude ?? [] },
  });

  const shown = request.removeComments
    ? await withoutComments(candidates.list, request)
    : { list: candidates.list, diagnostics: [] };

  // Price: work out the forms that each file may take, and count what each costs in the text.
  const pricing = { ...context, limit: context.budget };
  const priced = priceFiles(shown.list, strategy, pricing);
  signal?.throwIfAborted();

  // Fit: choose files and forms together. Every choice is rendered, and the count of its text decides.
  const setting = {
    ...surroundings,
    diagnostics: [
      ...surroundings.diagnostics,
      ...sight.diagnostics,
      ...candidates.diagnostics,
      ...shown.diagnostics,
    ],
    kept: [...sight.kept, ...ranking.kept],
  };
  const draft = draftPackage(setting, priced, context);
  // A package that is to be full lets its excerpts grow into the room that is left.
  const fitted = context.fill
    ? fillRemainder(fitFiles(priced, strategy, context.budget, draft), pricing, draft)
    : fitWorthwhile(priced, context.budget, draft);

  // Account: a receipt for every part, and a last check of all promises.
  const finished = finishPack(draft.account(fitted), fitted.text, scan.repository.root);
  const built = analysis ? { ...finished, analysis } : finished;
  return split === undefined ? built : inParts(built, split, context);
}

/** The candidates without their comments. */
async function withoutComments(list: readonly Candidate[], request: PackageRequest) {
  // loaded when it is asked for: it starts a parser
  const { openCommentStripper } = await import('../scan/remove-comments.ts');
  const stripper = openCommentStripper(request);
  try {
    await stripper.prepare(list.map(({ source }) => source));
    const stripped = list.map((candidate): Candidate => {
      const { text, moveOffset } = stripper.strip(candidate.source);
      return { ...candidate, source: withText(candidate.source, text, moveOffset) };
    });
    return { list: stripped, diagnostics: stripper.diagnostics() };
  } finally {
    stripper.close();
  }
}

/** How many files are looked at for each thousand tokens of the budget, within limits. */
const CANDIDATES_PER_THOUSAND = 3;
const MIN_CANDIDATES = 40;
const MAX_CANDIDATES = 300;
/** No file after these was ever worth its tokens. */
const MAX_WORTHWHILE = 60;
const NO_RANKING: Omit<RankedScan, 'analysis'> = {
  files: [],
  diagnostics: [],
  knownWeight: 0,
  placed: { place: -1, scored: 0 },
  kept: [],
};

function candidateLimit({ budget, fill }: ComposeContext): number {
  const wanted = Math.round((budget / 1_000) * CANDIDATES_PER_THOUSAND);
  return Math.max(MIN_CANDIDATES, Math.min(fill ? MAX_CANDIDATES : MAX_WORTHWHILE, wanted));
}

/** The change that the request names, else the one that the role is about. */
async function changeUnderReview(
  { change }: PackageRequest,
  { repository: { git, root } }: OpenScan,
  ofRole: readonly ChangedFile[],
): Promise<readonly ChangedFile[]> {
  return change ? readChange(git, root.path, change) : ofRole;
}

function metChangedFile({ pack }: BuiltPackage): boolean {
  return pack.diagnostics.some(({ code }) => code === 'file-changed' || code === 'file-not-read');
}

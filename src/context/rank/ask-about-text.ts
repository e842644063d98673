import { createHash } from 'node:crypto';
import type { Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KnowledgeStore, RankedList, StoreQuery } from '../../model/knowledge-store.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { environment } from '../../platform/environment.ts';
import { redactSecrets } from '../../redact/index.ts';
import type { OpenScan, ScanStep } from '../../scan/index.ts';
import {
  askStores,
  chooseEmbedder,
  type Embedder,
  embedFiles,
  memoryVectorCache,
  openLocalStore,
  openVectorFile,
  type VectorCache,
  vectorKey,
  wantsEmbeddings,
} from '../../stores/index.ts';
import {
  type GivenEvidence,
  meaningEvidence,
  TEXT_LOOKS,
  textSearches,
  withoutText,
} from './given-evidence.ts';
import { searchWords } from './search-words.ts';

export interface TextRequest {
  readonly task: string;
  readonly analysis: TaskAnalysis;
  readonly settings: Settings;
  /** Asked one after the other; without any the index answers for itself. */
  readonly stores?: readonly KnowledgeStore[];
  /** Longest time for the answer of one store. */
  readonly storeBudgetMs?: number;
  /** Longest time for all that is asked beyond this machine together; a hook has little of it. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

export interface TextAnswer {
  readonly given: GivenEvidence;
  readonly diagnostics: readonly Diagnostic[];
}

/** How an open work tree is called in a store of its own. */
const WORK_TREE = { repository: '.', branch: 'work-tree' } as const;

const STORE_BUDGET_MS = 5000;
/** What a model reads of a task. */
const QUERY_CHARACTERS = 2000;

/** Asks the knowledge stores and the embedding model about a task. Failures become diagnostics, and the rest counts. */
export async function askAboutText(scan: OpenScan, request: TextRequest): Promise<TextAnswer> {
  const { patienceMs, storeBudgetMs = STORE_BUDGET_MS } = request;
  const patience = patienceMs === undefined ? undefined : AbortSignal.timeout(patienceMs);
  const hurried = { ...request, storeBudgetMs: Math.min(storeBudgetMs, patienceMs ?? storeBudgetMs) };
  const lexical = request.stores ? await askForWords(scan, hurried, request.stores) : NOTHING;
  const semantic = wantsEmbeddings(request.settings) ? await askForMeaning(scan, hurried, patience) : NOTHING;
  return {
    given: { ...lexical.given, ...semantic.given },
    diagnostics: [...lexical.diagnostics, ...semantic.diagnostics],
  };
}

const NOTHING: TextAnswer = { given: {}, diagnostics: [] };

async function askForWords(
  { index }: OpenScan,
  { analysis, signal, storeBudgetMs = STORE_BUDGET_MS }: TextRequest,
  stores: readonly KnowledgeStore[],
): Promise<TextAnswer> {
  const { files } = index.snapshot;
  const searches = textSearches(analysis);
  const queries = TEXT_LOOKS.map(
    (look): StoreQuery => ({ channel: 'lexical', ...searches[look], filter: {}, limit: files.length }),
  );
  const { lists, diagnostics } = await askStores(stores, queries, {
    budgetMs: storeBudgetMs,
    ...(signal ? { signal } : {}),
  });
  if (!lists) return { given: withoutText(files.length), diagnostics };
  const columnOf = columnMaker(files);
  return {
    given: Object.fromEntries(TEXT_LOOKS.map((look, at) => [look, columnOf(lists[at]!)])),
    diagnostics,
  };
}

async function askForMeaning(
  scan: OpenScan,
  request: TextRequest,
  patience: AbortSignal | undefined,
): Promise<TextAnswer> {
  const { settings, signal, storeBudgetMs = STORE_BUDGET_MS } = request;
  const ends = [signal, patience].filter((one) => one !== undefined);
  const stop = ends.length === 0 ? undefined : AbortSignal.any(ends);
  const { files } = scan.index.snapshot;
  const embedder = chooseEmbedder(settings, environment());
  if (typeof embedder === 'string') return unavailable(embedder);
  const vectorCache = cacheOf(scan, settings, embedder);
  const { missing, total, problem } = await embedFiles({
    root: scan.repository.root,
    files,
    maxFileBytes: settings.maxFileBytes,
    embedder,
    cache: vectorCache,
    budgetMs: settings.embeddingBudget,
    ...(stop ? { signal: stop } : {}),
    onProgress: (done, all) =>
      request.onProgress?.({ label: `embedding files (${embedder.place})`, done, total: all }),
  });
  signal?.throwIfAborted();
  // with some files alone the answer would depend on how far the last run has come
  if (problem !== '')
    return unavailable(`${embedder.place}: ${problem}; ${missing} of ${total} files have no vectors yet`);
  const text = redactSecrets(request.task, 'task').text.slice(0, QUERY_CHARACTERS);
  const outcome = await embedder.embed([text], stop);
  if (outcome.kind === 'failed') return unavailable(`${embedder.place}: ${outcome.reason}`);
  const [vector] = outcome.vectors;
  if (!vector) return unavailable('the model refuses the task');
  const query: StoreQuery = {
    channel: 'vector',
    model: embedder.model,
    vector,
    filter: {},
    limit: files.length,
  };
  const store = workTreeStore(scan, embedder.model, vectorCache);
  const { lists, diagnostics } = await askStores([store], [query], {
    budgetMs: storeBudgetMs,
    ...(signal ? { signal } : {}),
  });
  if (!lists) return unavailable(diagnostics[0]?.message ?? 'no answer');
  return { given: { meaning: meaningEvidence(columnMaker(files)(lists[0]!)) }, diagnostics: [] };
}

/** The local store over the index that a scan has opened. */
export function workTreeStore(
  { index, result, repository }: OpenScan,
  model = '',
  vectors: VectorCache = memoryVectorCache(),
): KnowledgeStore {
  const { id, files } = index.snapshot;
  const head = {
    ...WORK_TREE,
    commit: result.gitSha,
    generation: 1,
    manifestHash: id,
    fileCount: files.length,
    model,
  };
  return openLocalStore({
    team: '',
    scoreWords: searchWords,
    vectors,
    folder: null,
    attached: [{ head, index, vectorKey: (place) => vectorKey(model, files[place]!) }],
    writerId: repository.writerId,
  });
}

function cacheOf({ repository }: OpenScan, settings: Settings, { model }: Embedder): VectorCache {
  const key = repository.cache.path.split(/[\\/]/).at(-1)!;
  const folder = new CacheFolder(`${settings.cacheDir}/vectors`);
  const name = createHash('sha256').update(model).digest('hex').slice(0, 16);
  return openVectorFile(folder.filePath(`${key}-${name}.vectors`));
}

function columnMaker(files: readonly SnapshotFile[]): (list: RankedList) => Float64Array {
  const numbers = new Map(files.map(({ path }, number) => [path, number]));
  return (list) => {
    const column = new Float64Array(files.length);
    for (const { path, contentHash, score } of list) {
      const number = numbers.get(path);
      // what a store knows of another content says nothing about this one
      if (number !== undefined && files[number]!.hash === contentHash) column[number] = score;
    }
    return column;
  };
}

function unavailable(reason: string): TextAnswer {
  const message = `the ranking goes without embeddings: ${reason}`;
  return { given: {}, diagnostics: [{ code: 'embeddings-unavailable', severity: 'warning', message }] };
}

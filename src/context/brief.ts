// The brief: the code that a task is about, on one page, for an agent that is about to start.
import { createHash } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { TaskAnalysis } from '../model/task-analysis.ts';
import { type OpenScan, type ScanStep, useIndex } from '../scan/index.ts';
import { type BriefPlace, placesOf } from './brief/places.ts';
import { type BriefCaller, type BriefTest, callersOf, testsOf } from './brief/related.ts';
import { type FittedBrief, fitBrief } from './brief/render-brief.ts';
import { createSourceReader } from './compose/index.ts';
import { type Audience, guardFiles } from './guidelines/index.ts';
import { analyzeFor, rankScan } from './rank.ts';

export interface BriefRequest extends Audience {
  readonly repo: string;
  readonly settings: Settings;
  readonly task: string;
  /** The text never has more characters. */
  readonly maxChars: number;
  /** Read already by the caller. */
  readonly analysis?: TaskAnalysis;
  readonly domain?: string;
  /** Places that the reader has seen, as `path:start-end`: they are named, not shown again. */
  readonly seen?: ReadonlySet<string>;
  /** Longest time for a store and an embedding endpoint together. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

/** What an agent gets to read before it starts, and everything that it was made from. */
export interface Brief {
  /** Equal ids mean equal briefs. */
  readonly id: string;
  readonly task: string;
  /** Likeliest first: those whose code is shown, then those that are only named. */
  readonly places: readonly (BriefPlace & { readonly form: 'body' | 'location' })[];
  /** Lines that use the shown definitions. */
  readonly callers: readonly BriefCaller[];
  /** Tests that cover the shown definitions, each with the command that runs it. */
  readonly tests: readonly BriefTest[];
  /** Empty when nothing in the repository matches the task. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Further files are not what the task is about. */
const MAX_FILES = 25;
/** Callers and tests are looked up for so many of the likeliest definitions. */
const MAIN_PLACES = 3;

/** Briefs a reader on a task: brings the index up to date first. */
export async function briefRepository(request: BriefRequest): Promise<Brief> {
  if (request.task.trim() === '')
    throw new LoadoutError('empty-task', 'the task is empty', { hint: 'say in a line what is to be done' });
  const mode = request.settings.scanMode;
  return useIndex({ ...request, mode, isAwaited: true }, (scan) => briefScan(scan, request));
}

/** The recipe, for a repository that has just been scanned: gather, price, fit, render, account. */
async function briefScan(scan: OpenScan, request: Omit<BriefRequest, 'repo'>): Promise<Brief> {
  const { settings, task, signal } = request;
  const { index, repository } = scan;

  // Gather: rank all files, and put their definitions into one list, likeliest first.
  const analysis = request.analysis ?? analyzeFor(scan, task, settings, request.domain);
  const guard = await guardFiles({ ...request, root: repository.root, analysis });
  const ranked = await rankScan(scan, { ...request, analysis, guard, limit: MAX_FILES });
  const places = placesOf(ranked.files);
  signal?.throwIfAborted();

  // Gather what belongs to the likeliest of them: callers, tests, and the command that checks the work.
  const maxBytes = settings.maxFileBytes;
  const sources = createSourceReader({ index, root: repository.root, redact: true, maxBytes });
  const options = { index, sources, allow: guard.allow };
  const main = places.slice(0, MAIN_PLACES);
  const [callers, tests] = [callersOf(main, options), testsOf(main, options)];

  // Price, fit and render: code for the places that are worth their characters, a line for the next ones.
  const seen = request.seen ?? new Set<string>();
  const fitted = fitBrief({ places, callers, tests, sources, seen, maxChars: request.maxChars });

  // Account: what is shown, and everything that a user should know.
  const diagnostics = [...scan.result.diagnostics, ...guard.diagnostics, ...ranked.diagnostics];
  return { id: briefId(task, fitted), task, ...fitted, diagnostics };
}

function briefId(task: string, { text }: FittedBrief): string {
  return createHash('sha256')
    .update(JSON.stringify([task, text]))
    .digest('hex')
    .slice(0, 16);
}

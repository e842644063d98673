// The brief: the code that a task is about, on one page, for an agent that is about to start.
import { createHash } from 'node:crypto';
import type { Settings } from '../config/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { TaskAnalysis } from '../model/task-analysis.ts';
import { type OpenScan, type ScanStep, useIndex } from '../scan/index.ts';
import { decideGate, type GateDecision, type GateLevel, type GateVerdict } from './brief/gate.ts';
import { isOverlapping, type PlaceSpan, placesOf } from './brief/places.ts';
import { type BriefCaller, type BriefTest, callersOf, testsOf } from './brief/related.ts';
import { fitBrief, NOTHING, type ShownPlace } from './brief/render-brief.ts';
import { createSourceReader } from './compose/index.ts';
import { type Audience, guardFiles } from './guidelines/index.ts';
import { analyzeFor, rankScan } from './rank.ts';

export type { GateDecision, GateVerdict, PlaceSpan };

export interface BriefRequest extends Audience {
  readonly repo: string;
  readonly settings: Settings;
  readonly task: string;
  /** The text never has more characters. */
  readonly maxChars: number;
  /** The analysis, when the caller has it already. */
  readonly analysis?: TaskAnalysis;
  readonly domain?: string;
  /** Files whose code may be shown, beside what guidelines say; all if absent. */
  readonly allow?: (path: string) => boolean;
  /** Decides whether an unsure brief is cut to locations or left out. If absent, every task gets a brief. */
  readonly gate?: GateLevel;
  /** Places that the reader has seen, as `path:start-end`: they are named, not shown again. */
  readonly seen?: ReadonlySet<string>;
  /** Lines that an earlier page has shown: nothing that overlaps them is in this one. */
  readonly after?: readonly PlaceSpan[];
  /** Time limit for a store and an embedding endpoint together. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

/** The text that an agent reads before it starts, and everything that it was made from. */
export interface Brief {
  /** Equal ids mean equal briefs. */
  readonly id: string;
  readonly task: string;
  /** Likeliest first: those whose code is shown, then those that are only named. */
  readonly places: readonly ShownPlace[];
  /** Lines that use the shown definitions. */
  readonly callers: readonly BriefCaller[];
  /** Tests that cover the shown definitions, each with the command that runs it. */
  readonly tests: readonly BriefTest[];
  /** The confidence of the ranking, and the verdict that follows from it. */
  readonly gate: GateDecision;
  /** Empty when nothing in the repository matches the task, and when the gate is silent. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Files after these are rarely about the task. */
const MAX_FILES = 25;
/** Callers and tests are looked up for this many of the likeliest definitions. */
const MAIN_PLACES = 3;

/** Briefs a reader on a task: brings the index up to date first. */
export async function briefRepository(request: BriefRequest): Promise<Brief> {
  if (request.task.trim() === '')
    throw new LoadoutError('empty-task', 'the task is empty', { hint: 'describe the task in a sentence' });
  const mode = request.settings.scanMode;
  return useIndex({ ...request, mode, isAwaited: true }, (scan) => briefScan(scan, request));
}

/** The recipe, for a repository that has just been scanned: gather, price, fit, render, account. */
export async function briefScan(scan: OpenScan, request: Omit<BriefRequest, 'repo'>): Promise<Brief> {
  const { settings, task, signal } = request;
  const { index, repository } = scan;

  // Gather: rank all files, and put their definitions into one list, likeliest first.
  const analysis = request.analysis ?? analyzeFor(scan, task, settings, request.domain);
  const guard = await guardFiles({ ...request, root: repository.root, analysis });
  const ranked = await rankScan(scan, { ...request, analysis, guard, limit: MAX_FILES });
  const places = placesOf(ranked.files).filter(
    (place) => !request.after?.some((old) => isOverlapping(old, place)),
  );
  signal?.throwIfAborted();

  // Decide: is the ranking sure enough to be worth reading?
  const { knownWeight } = ranked;
  const hasFile = (path: string) => index.snapshot.files.some((file) => file.path === path);
  const gate = decideGate({ analysis, places, knownWeight, hasFile }, request.gate ?? 'off');
  const diagnostics = [...scan.result.diagnostics, ...guard.diagnostics, ...ranked.diagnostics];
  const { verdict } = gate;
  if (verdict === 'silent') return { id: briefId(task, ''), task, gate, ...NOTHING, diagnostics };

  // Gather what belongs to the likeliest places: callers, tests, and the command that checks the work.
  const maxBytes = settings.maxFileBytes;
  const sources = createSourceReader({ index, root: repository.root, redact: true, maxBytes });
  const options = { index, sources, allow: guard.allow };
  const main = places.slice(0, MAIN_PLACES);
  const [callers, tests] = [callersOf(main, options), testsOf(main, options)];

  // Price, fit and render: code for the places that are worth their characters, a line for the next ones.
  const { seen = new Set<string>(), maxChars } = request;
  const files = ranked.files.map(({ path }) => path);
  const fitted = fitBrief({ places, files, callers, tests, sources, seen, verdict, maxChars });

  // Account: what is shown, and everything that a user should know.
  return { id: briefId(task, fitted.text), task, gate, ...fitted, diagnostics };
}

function briefId(task: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([task, text]))
    .digest('hex')
    .slice(0, 16);
}

import type { Settings } from '../config/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { TaskAnalysis } from '../model/task-analysis.ts';
import type { OpenScan } from '../scan/index.ts';
import { createDependencyFinder } from './compose/index.ts';
import type { Audience } from './guidelines/index.ts';
import { rankScan } from './rank.ts';
import type { SummaryItem, SummarySource } from './render/index.ts';

export interface SummaryRequest extends Audience {
  readonly task: string;
  readonly analysis: TaskAnalysis;
  readonly settings: Settings;
  /** Longest time for a store and an embedding endpoint together. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

export interface TaskSummary {
  readonly source: SummarySource;
  readonly diagnostics: readonly Diagnostic[];
}

/** A longer summary is not read. */
const MAX_FILES = 30;
const MAX_DEPENDENCIES = 60;
/** The usual number of bytes for a token of code. */
const BYTES_PER_TOKEN = 3.7;

/**
 * An outline of a package for a task, without its contents: the files that would fit into the budget by an estimate,
 * what matters in them and how they depend on each other. A hook has no time for more.
 */
export async function summarizeScan(scan: OpenScan, request: SummaryRequest): Promise<TaskSummary> {
  const { settings, task } = request;
  const { snapshot } = scan.index;
  const { files: ranked, diagnostics } = await rankScan(scan, { ...request, limit: MAX_FILES });
  const wanted = new Set(ranked.map(({ path }) => path));
  const numbers = new Map<string, number>();
  for (const [number, { path }] of snapshot.files.entries()) if (wanted.has(path)) numbers.set(path, number);
  let tokens = 0;
  const items: SummaryItem[] = [];
  for (const { path, combinedScore, symbols } of ranked) {
    const { size } = snapshot.files[numbers.get(path)!]!;
    // an empty __init__.py has nothing to show
    if (size === 0) continue;
    const cost = Math.ceil(size / BYTES_PER_TOKEN);
    const fits = tokens + cost <= settings.tokenBudget;
    if (fits) tokens += cost;
    items.push({
      path,
      form: fits ? 'full' : 'mention',
      combinedScore,
      symbols: symbols.map(({ name }) => name),
    });
  }
  const dependencies = createDependencyFinder(scan.index, numbers, MAX_DEPENDENCIES, () => 1)(items);
  const { tokenBudget } = settings;
  return {
    source: { task, tokenBudget, tokenCount: tokens, isEstimate: true, items, dependencies },
    diagnostics,
  };
}

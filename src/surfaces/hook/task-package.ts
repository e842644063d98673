import { createHash } from 'node:crypto';
import { isRecord } from '../../agents/index.ts';
import { readGaps, readTunedWeights } from '../../context/evaluate/index.ts';
import { evaluateGuidelines, type Judgement, type LoadedGuideline } from '../../context/guidelines/index.ts';
import { analyzeFor } from '../../context/rank.ts';
import type { SummarySource } from '../../context/render/index.ts';
import { summarizeScan } from '../../context/summary.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { safeJson } from '../../redact/index.ts';
import type { OpenScan } from '../../scan/index.ts';
import { readVersion } from '../shared/program-identity.ts';
import type { HookContext } from './hook-context.ts';

/** The part of a package that is stored for later events and for `loadout gap`. */
export interface TaskPackage {
  readonly id: string;
  readonly task: string;
  readonly action: string | null;
  readonly domains: readonly string[];
  /** Files that the task names. */
  readonly named: readonly string[];
  readonly source: SummarySource;
  /** Notes about services that did not answer; empty when all did. */
  readonly notes: readonly string[];
}

const FORMAT = 2;
const ID_LENGTH = 16;
/** For guidelines, a task is about this many of its best files. */
const ABOUT_FILES = 5;
/** Diagnostics of services on other machines that did not answer. */
const UNANSWERED: ReadonlySet<string> = new Set(['store-unavailable', 'embeddings-unavailable']);
/** A pasted log can have megabytes, and the rest of it says nothing new about the task. */
const MAX_TASK = 100_000;

/** The package of a task. It is built again only when the repository, the task or the guidelines have changed. */
export async function packageFor(
  context: HookContext,
  text: string,
  agent: string | null,
): Promise<TaskPackage> {
  const task = text.slice(0, MAX_TASK);
  const { guidelines } = await context.guidelines();
  return context.withScan(async (scan) => {
    const id = packageId(context, scan, task, agent, guidelines);
    const kept = readPackage(context.files, id);
    // It was built without the store, which may answer now.
    if (kept && kept.notes.length === 0) return kept;
    const { settings, signal, root, patienceMs } = context;
    const analysis = analyzeFor(scan, task, settings);
    const domains = [...analysis.domains];
    const named = analysis.paths.map(({ path }) => path).filter((path) => root.stat(path)?.type === 'file');
    const audience = {
      role: agent,
      event: context.call.event,
      userDirectory: configDirectory(context.environment),
    };
    const request = { task, analysis, settings, signal, patienceMs, ...audience };
    const { source, diagnostics } = await summarizeScan(scan, request);
    const notes = diagnostics.filter(({ code }) => UNANSWERED.has(code)).map(({ message }) => message);
    for (const note of notes) context.note(note);
    const made: TaskPackage = { id, task, action: analysis.action, domains, named, source, notes };
    context.files.write('packages', id, safeJson({ format: FORMAT, ...made }));
    return made;
  });
}

/** Which guidelines apply to an agent with this task. */
export async function judgementsFor(
  context: HookContext,
  { action, domains, named, source }: TaskPackage,
  agent: string | null,
): Promise<readonly Judgement[]> {
  const about = source.items.slice(0, ABOUT_FILES).map(({ path }) => path);
  const { guidelines } = await context.guidelines();
  const paths = [...new Set([...named, ...about])];
  return evaluateGuidelines(guidelines, { agent, action, domains, paths, event: context.call.event });
}

/** Changes with everything that affects the answer, and with nothing that is specific to this machine. */
function packageId(
  { settings, call }: HookContext,
  { index, result, repository }: OpenScan,
  task: string,
  agent: string | null,
  guidelines: readonly LoadedGuideline[],
): string {
  const { cacheDir, ...shared } = settings;
  const learned = [readTunedWeights(repository, cacheDir), readGaps(repository, cacheDir)];
  const rules = guidelines.map(({ guideline, place }) => [place, guideline]);
  const state = [index.snapshot.id, result.gitSha];
  const parts = [FORMAT, readVersion(), state, task, agent, call.event, shared, rules, learned];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_LENGTH);
}

export function readPackage(
  files: { read(folder: 'packages', name: string): string | null },
  id: string,
): TaskPackage | null {
  const text = files.read('packages', id);
  const value = text === null ? null : jsonOrNull(text);
  return isRecord(value) && value.format === FORMAT && value.id === id
    ? (value as unknown as TaskPackage)
    : null;
}

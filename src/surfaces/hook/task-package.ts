// The context of a task, as the hooks of one session pass it on: made once, and kept for later events.

import { createHash } from 'node:crypto';
import { isRecord } from '../../agents/index.ts';
import type { Brief, GateDecision } from '../../context/brief.ts';
import { readGaps, readTunedWeights } from '../../context/evaluate/index.ts';
import { evaluateGuidelines, type Judgement, type LoadedGuideline } from '../../context/guidelines/index.ts';
import { analyzeFor, rankScan } from '../../context/rank.ts';
import type { SummarySource } from '../../context/render/index.ts';
import { summarizeScan } from '../../context/summary.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
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
  /** Files that the task is about, best first. */
  readonly paths: readonly string[];
  readonly content: PackageContent;
  /** Notes about services that did not answer; empty when all did. */
  readonly notes: readonly string[];
}

/** The text for an agent, in the form that the setting `hookForm` names. */
type PackageContent =
  | { readonly form: 'summary'; readonly source: SummarySource }
  | {
      readonly form: 'brief';
      /** Empty when the gate is silent. */
      readonly text: string;
      readonly gate: GateDecision;
      /** Places whose code is in the text, and those that are only named, as `path:start-end`. */
      readonly shown: readonly string[];
      readonly locations: readonly string[];
      /** The definitions at both, in this order; empty where there is none. */
      readonly names: readonly string[];
    };

/** How a brief is made for one reader. */
interface BriefLimits {
  /** Maximum number of characters, frame included; `hookMaxChars` if absent. */
  readonly maxChars?: number;
  /** Places that the reader has seen. */
  readonly seen?: ReadonlySet<string>;
}

/** Characters around a brief: marks, an empty line, the note about gaps. */
const BRIEF_FRAME = 150;
const FORMAT = 4;
const ID_LENGTH = 16;
const MAX_NAME = 120;
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
  limits: BriefLimits = {},
): Promise<TaskPackage> {
  const task = text.slice(0, MAX_TASK);
  const { guidelines } = await context.guidelines();
  return context.withScan(async (scan) => {
    const id = packageId(context, scan, { task, agent, guidelines, limits });
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
    const asksForFiles = guidelines.some(({ guideline }) => guideline.condition.paths.length > 0);
    const { paths, content, diagnostics } =
      settings.hookForm === 'summary'
        ? await summaryOf(scan, request)
        : await briefOf(scan, { ...request, ...limits }, asksForFiles);
    const notes = diagnostics.filter(({ code }) => UNANSWERED.has(code)).map(({ message }) => message);
    for (const note of notes) context.note(note);
    const made: TaskPackage = { id, task, action: analysis.action, domains, named, paths, content, notes };
    context.files.write('packages', id, safeJson({ format: FORMAT, ...made }));
    return made;
  });
}

interface MadeContent {
  readonly paths: readonly string[];
  readonly content: PackageContent;
  readonly diagnostics: readonly Diagnostic[];
}
type ContentRequest = Parameters<typeof summarizeScan>[1];

async function summaryOf(scan: OpenScan, request: ContentRequest): Promise<MadeContent> {
  const { source, diagnostics } = await summarizeScan(scan, request);
  const paths = source.items.map(({ path }) => path);
  return { paths, content: { form: 'summary', source }, diagnostics };
}

async function briefOf(
  scan: OpenScan,
  request: ContentRequest & BriefLimits,
  asksForFiles: boolean,
): Promise<MadeContent> {
  const { hookGate: gateLevel, hookMaxChars } = request.settings;
  const maxChars = (request.maxChars ?? hookMaxChars) - BRIEF_FRAME;
  const { briefScan } = await import('../../context/brief.ts');
  const brief = await briefScan(scan, { ...request, maxChars, gate: gateLevel });
  const { gate, text, places, diagnostics } = brief;
  const bodies = places.filter(({ form }) => form === 'body');
  const named = places.filter(({ form }) => form === 'location');
  const [shown, locations] = [bodies.map(placeOf), named.map(placeOf)];
  const names = [...bodies, ...named].map(({ name }) => (name ?? '').slice(0, MAX_NAME));
  const paths = [...new Set(places.map(({ path }) => path))];
  return {
    // Guidelines apply to the files of a task even when the gate adds no brief.
    paths: paths.length > 0 || !asksForFiles ? paths : await bestFiles(scan, request),
    content: { form: 'brief', text, gate, shown, locations, names },
    diagnostics,
  };
}

async function bestFiles(scan: OpenScan, request: ContentRequest): Promise<readonly string[]> {
  const { files } = await rankScan(scan, { ...request, limit: ABOUT_FILES });
  return files.map(({ path }) => path);
}

/** `src/a.ts:10-42`, which identifies a place across briefs. */
function placeOf({ path, startLine, endLine }: Brief['places'][number]): string {
  return startLine === endLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
}

/** Which guidelines apply to an agent with this task. */
export async function judgementsFor(
  context: HookContext,
  { action, domains, named, paths: about }: TaskPackage,
  agent: string | null,
): Promise<readonly Judgement[]> {
  const { guidelines } = await context.guidelines();
  const paths = [...new Set([...named, ...about.slice(0, ABOUT_FILES)])];
  return evaluateGuidelines(guidelines, { agent, action, domains, paths, event: context.call.event });
}

interface PackageFacts {
  readonly task: string;
  readonly agent: string | null;
  readonly guidelines: readonly LoadedGuideline[];
  readonly limits: BriefLimits;
}

/** Changes with everything that affects the answer, and with nothing that is specific to this machine. */
function packageId(
  { settings, call }: HookContext,
  { index, result, repository }: OpenScan,
  { task, agent, guidelines, limits }: PackageFacts,
): string {
  const { cacheDir, hookRecords, ...shared } = settings;
  const learned = [readTunedWeights(repository, cacheDir), readGaps(repository, cacheDir)];
  const rules = guidelines.map(({ guideline, place }) => [place, guideline]);
  const state = [index.snapshot.id, result.gitSha];
  const reader = [limits.maxChars, [...(limits.seen ?? [])].sort()];
  const parts = [FORMAT, readVersion(), state, task, agent, call.event, shared, rules, learned, reader];
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

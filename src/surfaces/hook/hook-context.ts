import type { HookClient } from '../../agents/index.ts';
import type { Settings } from '../../config/index.ts';
import { type LoadedGuidelines, loadGuidelines } from '../../context/guidelines/index.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { monotonicMs, wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import type { OpenScan } from '../../scan/index.ts';
import {
  choice,
  list,
  nullable,
  oneOfTypes,
  optional,
  text,
  truth,
  type ValueOf,
} from '../../schema/schema.ts';
import { openSettings } from '../shared/open-settings.ts';
import type { HookCall } from './hook-call.ts';
import { HookFiles } from './hook-files.ts';
import { logHook } from './hook-log.ts';
import { type AnswerRecord, type FileRecord, lineOf, readLines, recordHook } from './hook-records.ts';
import { DEFAULT_TIMEOUT_MS } from './run-hook.ts';

/** Calls a function with an index that is up to date. */
type WithFreshScan = <Answer>(
  request: { readonly repo: string; readonly settings: Settings; readonly signal: AbortSignal },
  use: (scan: OpenScan) => Promise<Answer>,
) => Promise<Answer>;

/** The values that every answer needs. */
export interface HookOptions {
  readonly client: HookClient;
  readonly environment: Environment;
  /** The directory of the hook, for clients that do not send one. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Time limit for the whole answer. */
  readonly timeoutMs?: number;
  /** A server passes its open indexes here; without it the index is opened and closed for this answer. */
  readonly withScan?: WithFreshScan;
  /** Called as soon as the repository is known. */
  readonly onRepository?: (root: string) => void;
  /** The user wants a server that answers the next time. */
  readonly wantServer?: () => void;
}

/** The call and everything that an answer is made from. */
export interface HookContext {
  readonly call: HookCall;
  readonly environment: Environment;
  readonly root: SafeRoot;
  readonly settings: Settings;
  readonly files: HookFiles;
  /** The events of the session. */
  readonly memory: SessionMemory;
  /** The texts that this agent has received. A subagent has its own memory; the main thread uses that of the session. */
  readonly told: SessionMemory;
  readonly guidelines: () => Promise<LoadedGuidelines>;
  readonly withScan: <Answer>(use: (scan: OpenScan) => Promise<Answer>) => Promise<Answer>;
  readonly signal: AbortSignal;
  /** Time limit for the team store and the embedding endpoint together. */
  readonly patienceMs: number;
  /** Logs a problem that did not stop the answer, for `loadout doctor`. */
  readonly note: (problem: string) => void;
  /** Records the event for statistics, unless the user does not want that. */
  readonly record: (facts: AnswerFacts | FileFacts) => void;
}

type Facts<One> = Omit<One, 'at' | 'client' | 'event' | 'session' | 'agent' | 'milliseconds'>;
type AnswerFacts = Facts<AnswerRecord>;
type FileFacts = Facts<FileRecord>;

/** The share of the time limit for services on other machines: the local index must still have time to answer. */
const SHARE_OF_OTHERS = 1 / 3;

/** Null outside a repository: a chat in a home directory must not start a scan of it. */
export async function openHookContext(call: HookCall, context: HookOptions): Promise<HookContext | null> {
  const { environment, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = context;
  const started = monotonicMs();
  const place = locateRepository(call.cwd ?? context.cwd);
  if (place.kind !== 'found') return null;
  const root = openSafeRoot(place.workTree);
  context.onRepository?.(root.path);
  const { settings } = await openSettings({ env: environment, cwd: root.path }, { config: '' }, {}, root);
  // An event that only records needs no server.
  if (settings.warmServer === 'start' && call.event !== 'post-tool-use') context.wantServer?.();
  const files = new HookFiles(settings.cacheDir);
  const session = call.sessionId === '' ? '' : `${call.client} ${call.sessionId}`;
  const memory = new SessionMemory(files, session);
  const isSubagent = session !== '' && call.agentId !== null;
  const now = () => ({
    at: new Date(wallClockMs()).toISOString(),
    milliseconds: Math.round(monotonicMs() - started),
  });
  let loaded: Promise<LoadedGuidelines> | null = null;
  return {
    call,
    environment,
    root,
    settings,
    files,
    memory,
    told: isSubagent ? new SessionMemory(files, `${session} ${call.agentId}`) : memory,
    guidelines: () => {
      loaded ??= loadGuidelines({ repository: root, userDirectory: configDirectory(environment) });
      return loaded;
    },
    withScan: (use) =>
      (context.withScan ?? openAndClose)({ repo: root.path, settings, signal }, (scan) => {
        signal.throwIfAborted();
        return use(scan);
      }),
    signal,
    patienceMs: Math.max(1, Math.floor(timeoutMs * SHARE_OF_OTHERS)),
    note: (problem) => {
      const { client, event } = call;
      logHook(settings.cacheDir, { ...now(), event, client, problem });
    },
    record: (facts) => {
      if (settings.hookRecords === 'off') return;
      const { client, event, sessionId, agentId } = call;
      const about = { client, event, session: sessionId, agent: agentId };
      const { at, milliseconds } = now();
      const entry =
        facts.kind === 'file' ? { at, ...about, ...facts } : { at, ...about, ...facts, milliseconds };
      recordHook(files, root.path, entry);
    },
  };
}

const openAndClose: WithFreshScan = async (request, use) => {
  const { useIndex } = await import('../../scan/index-session.ts');
  return useIndex({ ...request, mode: request.settings.scanMode, isAwaited: true }, use);
};

/** Each kind of entry with its fields besides the kind. */
const ENTRIES = [
  lineOf('Map', { kind: choice(['map']) }),
  lineOf('Forgotten', { kind: choice(['forgotten']) }),
  lineOf('Told', {
    kind: choice(['told']),
    id: text(),
    paths: list(text()),
    /** Places of a brief whose code was shown, and those that were only named, as `path:start-end`. */
    shown: optional(list(text()), () => []),
    named: optional(list(text()), () => []),
  }),
  lineOf('Restored', { kind: choice(['restored']), id: text() }),
  lineOf('Turn', { kind: choice(['turn']), id: text() }),
  lineOf('Rules', { kind: choice(['rules']), ids: list(text()) }),
  lineOf('Handled', { kind: choice(['handled']), tool: text() }),
  /** A subagent that has a task but has not started yet. */
  lineOf('Task', {
    kind: choice(['task']),
    agent: text(),
    action: nullable(text()),
    domains: list(text()),
    paths: list(text()),
    /** Its task has no brief, because nothing was likely enough. */
    isUntold: optional(truth(), () => false),
  }),
  lineOf('Start', { kind: choice(['start']), agent: text() }),
];
const KINDS = ['map', 'forgotten', 'told', 'restored', 'turn', 'rules', 'handled', 'task', 'start'];
const entrySchema = oneOfTypes('kind', KINDS, ENTRIES);
type Entry = ValueOf<typeof entrySchema>;
type StartedTask = Extract<Entry, { readonly kind: 'task' }>;

/**
 * The texts that the agents of one session have received: a log that every event adds to, so that events at the
 * same time lose nothing. Without a session id nothing is remembered.
 */
export class SessionMemory {
  readonly #files: HookFiles;
  readonly #session: string;
  #entries: readonly Entry[];
  /** How often the client has dropped its context. */
  readonly timesForgotten: number;

  constructor(files: HookFiles, session: string) {
    this.#files = files;
    this.#session = session;
    const lines = session === '' ? [] : (files.read('sessions', session) ?? '').split('\n');
    const all = readLines(entrySchema, lines);
    const forgotten = all.findLastIndex(({ kind }) => kind === 'forgotten');
    this.timesForgotten = all.filter(({ kind }) => kind === 'forgotten').length;
    this.#entries = all.slice(forgotten + 1);
  }

  get hasMap(): boolean {
    return this.#entries.some(({ kind }) => kind === 'map');
  }

  /** Id of the last package that the main thread received. */
  get lastTold(): string | null {
    return this.#told().at(-1)?.id ?? null;
  }

  /** Id of the package of the current turn. */
  get turn(): string | null {
    return this.#entries.findLast((entry) => entry.kind === 'turn')?.id ?? null;
  }

  /** Whether all of these files have been named. */
  hasTold(paths: readonly string[]): boolean {
    const told = new Set(this.#told().flatMap((entry) => entry.paths));
    return paths.every((path) => told.has(path));
  }

  /** Places whose code has been shown. */
  get shown(): ReadonlySet<string> {
    return new Set(this.#told().flatMap(({ shown }) => shown));
  }

  /** Whether all of these places have been shown or named. */
  hasNamed(places: readonly string[]): boolean {
    const known = new Set(this.#told().flatMap(({ shown, named }) => [...shown, ...named]));
    return places.every((place) => known.has(place));
  }

  /** Whether the text with this hash has been brought back since the client dropped its context. */
  hasRestored(id: string): boolean {
    return this.#entries.some((entry) => entry.kind === 'restored' && entry.id === id);
  }

  hasRule(id: string): boolean {
    return this.#entries.some((entry) => entry.kind === 'rules' && entry.ids.includes(id));
  }

  hasHandled(tool: string): boolean {
    return tool !== '' && this.#entries.some((entry) => entry.kind === 'handled' && entry.tool === tool);
  }

  /** Tasks of subagents of this kind that have not started yet. */
  waiting(agent: string): readonly StartedTask[] {
    const tasks = this.#entries.filter((entry) => entry.kind === 'task').filter((one) => one.agent === agent);
    const begun = this.#entries.filter((entry) => entry.kind === 'start' && entry.agent === agent).length;
    return tasks.slice(begun);
  }

  add(entry: Entry): void {
    if (this.#session !== '') this.#files.append('sessions', this.#session, JSON.stringify(entry));
  }

  /** The client has dropped its context. */
  forget(): void {
    this.add({ kind: 'forgotten' });
    this.#entries = [];
  }

  #told() {
    return this.#entries.filter((entry) => entry.kind === 'told');
  }
}

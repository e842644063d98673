import type { Settings } from '../../config/settings.ts';
import { type LoadedGuidelines, loadGuidelines } from '../../context/guidelines/guideline-places.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { monotonicMs, wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import type { OpenScan } from '../../scan/run-scan.ts';
import { openSettings } from '../cli/open-settings.ts';
import { DEFAULT_TIMEOUT_MS } from './hook-arguments.ts';
import type { HookCall, HookClient } from './hook-call.ts';
import { HookFiles } from './hook-files.ts';
import { logHook } from './hook-log.ts';
import { SessionMemory } from './session-memory.ts';

/** Hands over an index that is up to date. */
export type WithFreshScan = <Answer>(
  request: { readonly repo: string; readonly settings: Settings; readonly signal: AbortSignal },
  use: (scan: OpenScan) => Promise<Answer>,
) => Promise<Answer>;

/** The world that a hook is answered in. */
export interface HookContext {
  readonly client: HookClient;
  readonly environment: Environment;
  /** Where the hook was called, for clients that do not say. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Time for the whole answer. */
  readonly timeoutMs?: number;
  /** A server's, which keeps its indexes open; without it the index is opened and closed here. */
  readonly withScan?: WithFreshScan;
  /** Told as soon as it is known which repository the call is about. */
  readonly onRepository?: (root: string) => void;
  /** The user wants a server that answers the next time. */
  readonly wantServer?: () => void;
}

/** What the answers to events are made with. */
export interface HookDesk {
  readonly call: HookCall;
  readonly environment: Environment;
  readonly root: SafeRoot;
  readonly settings: Settings;
  readonly files: HookFiles;
  /** What happened in the session. */
  readonly memory: SessionMemory;
  /** What the agent that the call is about has been told; that of the session in the main thread. */
  readonly told: SessionMemory;
  readonly guidelines: () => Promise<LoadedGuidelines>;
  readonly withScan: <Answer>(use: (scan: OpenScan) => Promise<Answer>) => Promise<Answer>;
  readonly signal: AbortSignal;
  /** Longest time for a team store and an embedding endpoint together. */
  readonly patienceMs: number;
  /** Keeps a problem that the agent goes on with, for `loadout doctor`. */
  readonly note: (problem: string) => void;
}

/** Of the time for an answer, what others may take of it: an agent is better off with the local index than with nothing. */
const SHARE_OF_OTHERS = 1 / 3;

/** Null where there is no repository: a home directory must not be scanned because somebody chats in it. */
export async function openHookDesk(call: HookCall, context: HookContext): Promise<HookDesk | null> {
  const { environment, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = context;
  const started = monotonicMs();
  const place = locateRepository(call.cwd ?? context.cwd);
  if (place.kind !== 'found') return null;
  const root = openSafeRoot(place.workTree);
  context.onRepository?.(root.path);
  const { settings } = await openSettings({ env: environment, cwd: root.path }, { config: '' }, {}, root);
  if (settings.warmServer === 'start') context.wantServer?.();
  const files = new HookFiles(settings.cacheDir);
  const session = call.sessionId === '' ? '' : `${call.client} ${call.sessionId}`;
  const memory = new SessionMemory(files, session);
  const isSubagent = session !== '' && call.agentId !== null;
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
      const milliseconds = Math.round(monotonicMs() - started);
      const at = new Date(wallClockMs()).toISOString();
      logHook(settings.cacheDir, { at, event, client, milliseconds, problem });
    },
  };
}

const openAndClose: WithFreshScan = async (request, use) => {
  const { withIndexEarly } = await import('../../scan/run-scan.ts');
  return withIndexEarly({ ...request, mode: request.settings.scanMode }, use);
};

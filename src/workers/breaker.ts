// A circuit breaker for agents. After five failures in a row an agent is not called for a minute, then for two, up to
// half an hour. One run then tries it for all.
import { createHash } from 'node:crypto';
import { LoadoutError } from '../model/loadout-error.ts';
import { jsonOrNull } from '../model/read-json.ts';
import { CacheFolder } from '../platform/cache/cache-folder.ts';
import { withLock } from '../platform/fs/file-lock.ts';
import { mayBeAlive, ownIdentity, type ProcessIdentity } from '../platform/process/process-identity.ts';

/** Failures are counted for each role, CLI and model apart. */
interface BreakerKey {
  readonly role: string;
  readonly cli: string;
  readonly model: string | null;
}

/** Whether the agent worked in a run; `unknown` when it was never called, or the run was cancelled. */
export type BreakerVerdict = 'worked' | 'failed' | 'unknown';

/** A change takes milliseconds. Other processes wait this long for it. */
const LOCK_WAIT_MS = 10_000;

/**
 * Keeps an agent that fails again and again from being called. Its state is in the cache directory, so that it outlives
 * a restart.
 */
export class BreakerStore {
  readonly #folder: CacheFolder;
  /** Milliseconds since the epoch, because the state outlives the process. */
  readonly #now: () => number;

  constructor(cacheDirectory: string, now: () => number) {
    this.#folder = new CacheFolder(`${cacheDirectory}/breakers`);
    this.#now = now;
  }

  /** Throws `breaker-open` when the agent failed too often to be called now. */
  enter(key: BreakerKey, run: string): Promise<void> {
    return this.#change(key, (state) => {
      const answer = askBreaker(state, this.#now(), state.probe !== null && mayBeAlive(state.probe.by));
      if (answer.kind === 'open') throw openError(key, state.failures, answer.retryInMs);
      if (answer.kind === 'closed') return null;
      return { ...state, probe: { by: ownIdentity(), run, at: this.#now() } };
    });
  }

  /** Counts the result of a run that entered. */
  leave(key: BreakerKey, run: string, verdict: BreakerVerdict): Promise<void> {
    return this.#change(key, (state) => {
      if (verdict === 'worked') return state === CLOSED ? null : afterSuccess();
      if (verdict === 'failed') return afterFailure(state, this.#now());
      return state.probe?.run === run ? { ...state, probe: null } : null;
    });
  }

  /** Changes the state under a lock. A change that returns null writes nothing. */
  async #change(key: BreakerKey, change: (state: BreakerState) => BreakerState | null): Promise<void> {
    const name = fileName(key);
    await withLock(this.#folder.filePath(`${name}.lock`), LOCK_WAIT_MS, async () => {
      const next = change(parseState(this.#folder.readAll(name)));
      if (next !== null) this.#folder.write(name, JSON.stringify({ ...key, ...next }));
    });
  }
}

/** The name of a model may hold characters that no file name may hold. */
function fileName({ role, cli, model }: BreakerKey): string {
  return `${createHash('sha256')
    .update(JSON.stringify([role, cli, model]))
    .digest('hex')
    .slice(0, 24)}.json`;
}

/** A damaged file counts as no failures. */
function parseState(bytes: Buffer | null): BreakerState {
  if (bytes === null) return CLOSED;
  const { failures, openedAt, openings, probe } = (jsonOrNull(bytes.toString('utf8')) ?? {}) as BreakerState;
  const isSound = [failures, openings].every(Number.isInteger) && (openedAt === null || openedAt >= 0);
  return isSound ? { failures, openedAt, openings, probe: probe ?? null } : CLOSED;
}

function openError({ role, cli, model }: BreakerKey, failures: number, retryInMs: number): LoadoutError {
  const who = `${cli}${model === null ? '' : ` with ${model}`} in the role ${role}`;
  return new LoadoutError('breaker-open', `${who} failed ${failures} times in a row and is paused`, {
    subject: cli,
    hint: `try again in ${Math.ceil(retryInMs / 1000)} s, or see what is wrong: loadout runs list`,
  });
}

/** How often an agent failed lately in one role, with one CLI and one model. */
interface BreakerState {
  /** In a row. A success sets it back to 0. */
  readonly failures: number;
  /** Milliseconds since the epoch; null while calls are allowed. */
  readonly openedAt: number | null;
  /** How often it was opened in a row. Each time the pause is twice as long. */
  readonly openings: number;
  /** The run that tries whether the agent works again. */
  readonly probe: { readonly by: ProcessIdentity; readonly run: string; readonly at: number } | null;
}

/** `probe`: this run tries whether the agent works again. */
type BreakerAnswer =
  | { readonly kind: 'closed' | 'probe' }
  | { readonly kind: 'open'; readonly retryInMs: number };

/** The state of an agent that has not failed. */
export const CLOSED: BreakerState = { failures: 0, openedAt: null, openings: 0, probe: null };
/** Failures in a row after which the agent is not called for a while. */
export const FAILURES_TO_OPEN = 5;
/** The first pause; each further one is twice as long, up to the largest. */
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 30 * 60_000;

/** Whether a call may be made now. After the pause one run may call, and its result decides for all. */
export function askBreaker(state: BreakerState, now: number, isProbeAlive: boolean): BreakerAnswer {
  if (state.openedAt === null) return { kind: 'closed' };
  const pause = pauseOf(state);
  // A clock that was set back must not keep the breaker open for years.
  const waited = Math.max(0, now - Math.min(state.openedAt, now));
  if (waited < pause) return { kind: 'open', retryInMs: pause - waited };
  if (state.probe !== null && isProbeAlive) return { kind: 'open', retryInMs: FIRST_PAUSE_MS };
  return { kind: 'probe' };
}

/** The state after a run in which the agent worked. */
function afterSuccess(): BreakerState {
  return CLOSED;
}

/** The state after one more failure. Enough of them in a row open the breaker. */
export function afterFailure(state: BreakerState, now: number): BreakerState {
  const failures = state.failures + 1;
  if (failures < FAILURES_TO_OPEN) return { ...state, failures, probe: null };
  return { failures, openedAt: now, openings: state.openings + 1, probe: null };
}

/** In milliseconds. */
function pauseOf({ openings }: BreakerState): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, openings - 1));
}

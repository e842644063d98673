import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolder } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import { mayBeAlive, ownIdentity, type ProcessIdentity } from '../../platform/process/process-identity.ts';

/** The address and token of a running server, and its identity. */
export interface ServerState {
  readonly port: number;
  readonly token: string;
  readonly version: string;
  /** Processes with the same fingerprint would give the same answers. */
  readonly fingerprint: string;
  /** The identity of the program. A newer program replaces a server that runs in the background. */
  readonly program: string;
  readonly isBackground: boolean;
  readonly process: ProcessIdentity;
}

const FILE = 'server.json';
const OWNER_ONLY = 0o600;

const stateFile = (cacheDirectory: string) => join(cacheDirectory, FILE);

/** Writes the state of this server for hook processes of the same user. Other users cannot read it. */
export function writeServerState(cacheDirectory: string, given: Omit<ServerState, 'process'>): void {
  makeFolder(cacheDirectory);
  const path = stateFile(cacheDirectory);
  // A replaced file would pass its permissions on.
  rmSync(path, { force: true });
  const before = process.umask(0o077);
  try {
    const state: ServerState = { ...given, process: ownIdentity() };
    writeFileAtomic(path, `${JSON.stringify(state)}\n`);
  } finally {
    process.umask(before);
  }
  chmodSync(path, OWNER_ONLY);
}

const MAX_STATE_BYTES = 64_000;

/** The running server; null when there is none, or when the state file cannot be trusted. */
export function readServerState(cacheDirectory: string): ServerState | null {
  const path = stateFile(cacheDirectory);
  try {
    const stats = statSync(path);
    if (process.platform !== 'win32' && ((stats.mode & 0o077) !== 0 || stats.uid !== process.getuid?.()))
      return null;
    const state = jsonOrNull(readRegularFile(path, MAX_STATE_BYTES).toString());
    return isServerState(state) && mayBeAlive(state.process) ? state : null;
  } catch {
    return null;
  }
}

/** Removes the state of this server, unless another one has written its own since. */
export function removeServerState(cacheDirectory: string, token: string): void {
  if (readServerState(cacheDirectory)?.token === token) rmSync(stateFile(cacheDirectory), { force: true });
}

function isServerState(value: unknown): value is ServerState {
  if (typeof value !== 'object' || value === null) return false;
  const {
    port,
    token,
    version,
    fingerprint,
    program,
    process: owner,
  } = value as Partial<Record<keyof ServerState, unknown>>;
  return (
    Number.isInteger(port) &&
    Number(port) > 0 &&
    Number(port) < 65_536 &&
    typeof token === 'string' &&
    typeof version === 'string' &&
    typeof fingerprint === 'string' &&
    typeof program === 'string' &&
    typeof owner === 'object' &&
    owner !== null &&
    Number.isInteger((owner as ProcessIdentity).pid)
  );
}

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Asks the running server to end and waits until it has; null when none runs. */
export async function stopServer(cacheDirectory: string): Promise<ServerState | null> {
  const running = readServerState(cacheDirectory);
  if (!running) return null;
  const { pid } = running.process;
  process.kill(pid, 'SIGTERM');
  const end = monotonicMs() + PATIENCE_MS;
  while (readServerState(cacheDirectory)?.token === running.token) {
    if (monotonicMs() > end)
      throw new LoadoutError('still-running', `process ${pid} does not end`, {
        subject: `${pid}`,
        hint: `end it with "kill -9 ${pid}"`,
      });
    await pause(LOOK_EVERY_MS);
  }
  return running;
}

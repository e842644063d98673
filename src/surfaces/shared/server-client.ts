/**
 * Talks to the running server: finds it by its state file, asks it, starts it in the background and stops it.
 * The state file holds the token, so only its owner can read it.
 */

import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { monotonicMs, wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { createFolders, makeFolder } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import { mayBeAlive, ownIdentity, type ProcessIdentity } from '../../platform/process/process-identity.ts';
import { startApart } from '../../platform/process/worker-process.ts';

/** The path for hooks, and the headers of a question. */
export const HOOK_PATH = '/hook/';
/** The agent client whose hook asks. */
export const CLIENT_HEADER = 'x-loadout-client';
/** How long the hook will wait, in milliseconds. */
export const TIMEOUT_HEADER = 'x-loadout-timeout-ms';

/** An event of a hook, for a server to answer. */
export interface HookQuestion {
  /** The state file of the server is in it. */
  readonly cacheDirectory: string;
  /** A server with another fingerprint may answer differently, so it is not asked. */
  readonly fingerprint: string;
  readonly event: string;
  readonly client: string;
  /** The hook's input as it came in. */
  readonly body: string;
  /** After it the hook answers without the server. */
  readonly timeoutMs: number;
}

/** Time limit for `loadout doctor`. */
const HEALTH_MS = 5_000;

/** Asks the running server; null when there is none, or without a good answer in time. */
export async function askServer({
  cacheDirectory,
  fingerprint,
  event,
  client,
  body,
  timeoutMs,
}: HookQuestion): Promise<string | null> {
  const state = readServerState(cacheDirectory);
  if (state?.fingerprint !== fingerprint) return null;
  const headers = {
    [CLIENT_HEADER]: client,
    [TIMEOUT_HEADER]: String(timeoutMs),
    'content-type': 'application/json',
  };
  const signal = AbortSignal.timeout(timeoutMs);
  return exchange(state, { method: 'POST', path: `${HOOK_PATH}${event}`, headers, signal, body });
}

/** The repositories that a server has open; null when it does not answer. */
export async function askHealth(state: ServerState): Promise<readonly string[] | null> {
  const text = await exchange(state, {
    method: 'GET',
    path: '/health',
    headers: {},
    signal: AbortSignal.timeout(HEALTH_MS),
    body: '',
  });
  const health = jsonOrNull(text ?? '') as { readonly warm?: unknown } | null;
  return Array.isArray(health?.warm) ? health.warm.map(String) : null;
}

/** One HTTP request. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** A larger answer is dropped, because no hook prints that much. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;

/** Sends one request to the server; null without a good answer in time. */
function exchange(
  { port, token }: ServerState,
  { body, headers, ...line }: Exchange,
): Promise<string | null> {
  return new Promise((resolve) => {
    const call = request(
      {
        ...line,
        host: '127.0.0.1',
        port,
        headers: {
          ...headers,
          authorization: `Bearer ${token}`,
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) call.destroy();
          else chunks.push(chunk);
        });
        response.on('error', () => resolve(null));
        response.on('end', () =>
          resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : null),
        );
      },
    );
    call.on('error', () => resolve(null));
    call.end(body);
  });
}

/** Minimum time between attempts: a server that cannot start must not be tried at every hook. */
const SERVER_EVERY_MS = 60_000;
/** Long enough for a person to read an answer and ask again. */
const SERVER_IDLE = '15m';

/** Starts the server, which ends when it is idle. A second one refuses to run beside the first. */
export function startServer(root: string, cacheDirectory: string, environment: Environment): void {
  const words = ['serve', '--quiet', '--background', '--idle', SERVER_IDLE];
  const mark = join(cacheDirectory, 'hook', 'serving');
  startAside({ words, mark, everyMs: SERVER_EVERY_MS, root, environment });
}

/** A process to start in the background. */
export interface Aside {
  /** Arguments of the command line. */
  readonly words: readonly string[];
  /** A file whose age is the time since the last attempt. */
  readonly mark: string;
  /** Minimum time between two attempts. */
  readonly everyMs: number;
  /** The folder in which the process starts. */
  readonly root: string;
  readonly environment: Environment;
}

/** Starts a process that outlives this one. A failure only costs time later, so it is ignored. */
export function startAside({ words, mark, everyMs, root, environment }: Aside): void {
  try {
    const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (wallClockMs() - last < everyMs) return;
    createFolders(dirname(mark), 0o700);
    writeFileSync(mark, root, { mode: 0o600 });
    startApart(words, root, environment);
  } catch {
    // The next hook tries again.
  }
}

/** The address and token of a running server, and its identity. */
export interface ServerState {
  readonly port: number;
  readonly token: string;
  /** Of the program, for people. */
  readonly version: string;
  /** Processes with the same fingerprint would give the same answers. */
  readonly fingerprint: string;
  /** The identity of the program. A newer program replaces a server that runs in the background. */
  readonly program: string;
  /** A hook started it, so a newer program may stop it. */
  readonly isBackground: boolean;
  /** Tells a running server from a new process with the same number. */
  readonly process: ProcessIdentity;
}

/** In the cache directory. */
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

/** The state has a few hundred bytes. */
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

/** Other programs may write the file, so every field is checked. */
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

/** Time limit for a server to end. */
const PATIENCE_MS = 10_000;
/** Time between looks while waiting. */
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

// What hooks write down: problems for `loadout doctor`, and a record of each event for statistics.

import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FileUse, isRecord } from '../../agents/index.ts';
import type { GateVerdict } from '../../context/brief/gate.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import { safeJson, safeLine, withoutSecrets } from '../../redact/index.ts';
import { HookFiles } from './hook-files.ts';

/** A problem of one hook, for `loadout doctor`. */
export interface HookLogEntry {
  /** ISO time. */
  readonly at: string;
  readonly event: string;
  readonly client: string;
  readonly milliseconds: number;
  readonly problem: string;
}

const MAX_LOG = 64 * 1024;
const MAX_PROBLEM = 500;
const file = (cacheDirectory: string) => join(cacheDirectory, 'hook', 'log.jsonl');

/** Logs why an agent got no context, or less of it. Keeps at most two files of 64 KB, and never throws. */
export function logHook(cacheDirectory: string, entry: HookLogEntry): void {
  const path = file(cacheDirectory);
  const problem = safeLine(entry.problem.replace(/\s+/g, ' ')).slice(0, MAX_PROBLEM);
  try {
    createFolders(join(cacheDirectory, 'hook'), 0o700);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG) renameSync(path, `${path}.1`);
    appendFileSync(path, `${JSON.stringify({ ...entry, problem })}\n`, { mode: 0o600 });
  } catch {
    // A hook has no other place to report this.
  }
}

/** The newest entries, newest first. */
export function readHookLog(cacheDirectory: string, most: number): readonly HookLogEntry[] {
  const lines = [`${file(cacheDirectory)}.1`, file(cacheDirectory)].flatMap((path) =>
    readQuietly(path).split('\n'),
  );
  return lines.flatMap(parseEntry).reverse().slice(0, most);
}

function readQuietly(path: string): string {
  try {
    return readRegularFile(path, 4 * MAX_LOG).toString();
  } catch {
    return '';
  }
}

function parseEntry(line: string): HookLogEntry[] {
  const value = jsonOrNull(line);
  if (!isRecord(value)) return [];
  const { at, event, client, milliseconds, problem } = value;
  const texts = [at, event, client, problem];
  if (!texts.every((one) => typeof one === 'string') || typeof milliseconds !== 'number') return [];
  return [value as unknown as HookLogEntry];
}

/** Every record has these fields. */
interface AnyRecord {
  /** ISO time. */
  readonly at: string;
  readonly client: string;
  readonly event: string;
  /** The client's id of the session; empty when it sends none. */
  readonly session: string;
  /** The client's id of a subagent; null in the main thread. */
  readonly agent: string | null;
}

/** What a hook added for a task, or why it added nothing. */
export interface AnswerRecord extends AnyRecord {
  readonly kind: 'answer';
  readonly form: 'brief' | 'summary' | 'package' | 'restored';
  readonly verdict: GateVerdict;
  /** 0..1, see the gate of a brief; null where no gate has decided. */
  readonly confidence: number | null;
  readonly reason: string;
  /** Of the text that was added. */
  readonly characters: number;
  /** The tokens of that text; absent in records of earlier versions. */
  readonly tokens?: number;
  /** From the input to the decision. */
  readonly milliseconds: number;
  /** Places whose code was shown, as `path:start-end`; paths only for other forms than a brief. */
  readonly places: readonly string[];
  /** Places that were only named. */
  readonly locations: readonly string[];
  /** The definitions at `places` and then at `locations`, empty where there is none; absent where places are files. */
  readonly names?: readonly string[];
  /** Redacted, and cut when it is long. */
  readonly prompt: string;
  /** The id for `loadout gap`; empty when nothing was looked up. */
  readonly package: string;
}

/** A file that an agent has read or edited. */
export interface FileRecord extends AnyRecord {
  readonly kind: 'file';
  readonly how: FileUse['how'];
  readonly path: string;
  /** First and last line; null when they are not known. */
  readonly lines: readonly [number, number] | null;
  /** The client's id of the tool call; empty when it sends none. */
  readonly call: string;
}

export type HookRecord = AnswerRecord | FileRecord;

const MAX_PROMPT = 2_000;
/** Redaction of a pasted log takes time. */
const MAX_REDACTED = 10_000;

/** Records an event of a repository, redacted. Never throws. */
export function recordHook(files: HookFiles, repository: string, record: HookRecord): void {
  const prompt = record.kind === 'answer' ? withoutSecrets(record.prompt.slice(0, MAX_REDACTED)) : '';
  const shown = record.kind === 'answer' ? { ...record, prompt: prompt.slice(0, MAX_PROMPT) } : record;
  files.record(repository, safeJson(shown), JSON.stringify({ kind: 'repository', path: repository }));
}

/**
 * The real paths of the repositories that have records, in order, and the number of logs that do not name theirs: an
 * earlier version has begun them. A log of `own` is found in any case.
 */
export function listHookRepositories(
  cacheDirectory: string,
  own: string | null,
): { readonly paths: readonly string[]; readonly unnamed: number } {
  const found = new HookFiles(cacheDirectory).firstRecords().map(({ line, isOf }) => {
    const { kind, path } = (jsonOrNull(line) ?? {}) as { readonly kind?: unknown; readonly path?: unknown };
    // The name of the file is a hash of the path, so a line that was changed is noticed.
    if (kind === 'repository' && typeof path === 'string' && isOf(path)) return path;
    return own !== null && isOf(own) ? own : null;
  });
  const paths = found.filter((path) => path !== null);
  return { paths: paths.sort(), unnamed: found.length - paths.length };
}

/** The records of a repository, oldest first. `repository` is the real path of its root. */
export function readHookRecords(cacheDirectory: string, repository: string): readonly HookRecord[] {
  const known = new Set<string>();
  return new HookFiles(cacheDirectory).records(repository).flatMap((line) => {
    const value = jsonOrNull(line);
    if (!isHookRecord(value)) return [];
    // A client that is set up twice reports each use of a tool twice.
    if (value.kind === 'file' && value.call !== '') {
      const key = JSON.stringify([value.session, value.call, value.path, value.lines]);
      if (known.has(key)) return [];
      known.add(key);
    }
    return [value];
  });
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isAmount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;
const isLines = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger));

function isHookRecord(value: unknown): value is HookRecord {
  if (!isRecord(value)) return false;
  const { kind, at, client, event, session, agent } = value;
  if (![at, client, event, session].every((one) => typeof one === 'string')) return false;
  if (agent !== null && typeof agent !== 'string') return false;
  if (kind === 'file') {
    const { how, path, lines, call } = value;
    return (
      (how === 'read' || how === 'edit') &&
      typeof path === 'string' &&
      isLines(lines) &&
      typeof call === 'string'
    );
  }
  const { form, verdict, confidence, reason, characters, tokens, milliseconds, prompt } = value;
  const { places, locations, names } = value;
  const texts = [form, verdict, reason, prompt, value.package];
  return (
    kind === 'answer' &&
    texts.every((one) => typeof one === 'string') &&
    [characters, milliseconds, tokens ?? 0].every(isAmount) &&
    (confidence === null || isAmount(confidence)) &&
    [places, locations, names ?? []].every(isTexts)
  );
}

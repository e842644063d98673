// Records that hooks keep between events, one JSON object on each line. Damaged and foreign lines are ignored.

import type { FileUse } from '../../agents/index.ts';
import type { GateVerdict } from '../../context/brief.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import { safeJson, withoutSecrets } from '../../redact/index.ts';
import { type Fields, type ObjectValue, object } from '../../schema/object-schema.ts';
import {
  checked,
  choice,
  list,
  maybe,
  nullable,
  number,
  oneOfTypes,
  type Schema,
  text,
  type ValueOf,
} from '../../schema/schema.ts';
import { valueOrUndefined } from '../../schema/value-issues.ts';
import { HookFiles } from './hook-files.ts';
import { type HookLogEntry, hookLogPath, MAX_LOG } from './hook-log.ts';

/** Declares such an object. Unknown fields are allowed, because a later version may have added them. */
export function lineOf<const Shape extends Fields>(title: string, fields: Shape): Schema<ObjectValue<Shape>> {
  return object({ title, extraFields: 'kept' }, fields);
}

/** The values of all valid lines, in order. */
export function readLines<Value>(schema: Schema<Value>, lines: readonly string[]): Value[] {
  return lines.flatMap((line) => {
    const value = valueOrUndefined(schema, jsonOrNull(line));
    return value === undefined ? [] : [value];
  });
}

const hookLogEntry: Schema<HookLogEntry> = lineOf('Problem of a hook', {
  at: text(),
  event: text(),
  client: text(),
  milliseconds: number({}, 'a number'),
  problem: text(),
});

/** The newest entries, newest first. */
export function readHookLog(cacheDirectory: string, most: number): readonly HookLogEntry[] {
  const path = hookLogPath(cacheDirectory);
  const lines = [`${path}.1`, path].flatMap((file) => readQuietly(file).split('\n'));
  return readLines(hookLogEntry, lines).reverse().slice(0, most);
}

function readQuietly(path: string): string {
  try {
    return readRegularFile(path, 4 * MAX_LOG).toString();
  } catch {
    return '';
  }
}

/** Every record has these fields. */
const ABOUT = {
  /** ISO time. */
  at: text(),
  client: text(),
  event: text(),
  /** The client's id of the session; empty when it sends none. */
  session: text(),
  /** The client's id of a subagent; null in the main thread. */
  agent: nullable(text()),
};

const FORMS = ['brief', 'summary', 'package', 'restored'] as const;
const VERDICTS = ['full', 'short', 'silent'] as const satisfies readonly GateVerdict[];

/** The text that a hook added for a task, or the reason why it added nothing. */
const answerRecord = lineOf('Answer of a hook', {
  ...ABOUT,
  kind: choice(['answer']),
  form: choice(FORMS),
  verdict: choice(VERDICTS),
  /** 0..1, see the gate of a brief; null when no gate decided. */
  confidence: nullable(number({}, 'a number')),
  reason: text(),
  /** Of the text that was added. */
  characters: number({}, 'a number'),
  /** The tokens of that text; absent in records of earlier versions. */
  tokens: maybe(number({}, 'a number')),
  /** From the input to the decision. */
  milliseconds: number({}, 'a number'),
  /** Places whose code was shown, as `path:start-end`; paths only for other forms than a brief. */
  places: list(text()),
  /** Places that were only named. */
  locations: list(text()),
  /** The definitions at `places` and then at `locations`, empty where there is none; absent where places are files. */
  names: maybe(list(text())),
  /** Redacted, and cut when it is long. */
  prompt: text(),
  /** The id for `loadout gap`; empty when nothing was looked up. */
  package: text(),
});

const USES = ['read', 'edit'] as const satisfies readonly FileUse['how'][];

/** A file that an agent has read or edited. */
const fileRecord = lineOf('File that an agent used', {
  ...ABOUT,
  kind: choice(['file']),
  how: choice(USES),
  path: text(),
  /** First and last line; null when they are not known. */
  lines: nullable(checked<readonly [number, number]>({ type: 'array' }, 'two line numbers', isLines)),
  /** The client's id of the tool call; empty when it sends none. */
  call: text(),
});

function isLines(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
}

const hookRecord = oneOfTypes('kind', ['answer', 'file'], [answerRecord, fileRecord]);

type WholeAnswer = ValueOf<typeof answerRecord>;
export type AnswerRecord = Omit<WholeAnswer, 'tokens' | 'names'> &
  Partial<Pick<WholeAnswer, 'tokens' | 'names'>>;
export type FileRecord = ValueOf<typeof fileRecord>;
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

const repositoryLine = lineOf('Repository of the records', { kind: choice(['repository']), path: text() });

/**
 * The real paths of the repositories that have records, in order, and the number of logs without such a path, which an
 * earlier version created. The log of `own` is always found.
 */
export function listHookRepositories(
  cacheDirectory: string,
  own: string | null,
): { readonly paths: readonly string[]; readonly unnamed: number } {
  const found = new HookFiles(cacheDirectory).firstRecords().map(({ line, isOf }) => {
    const named = valueOrUndefined(repositoryLine, jsonOrNull(line))?.path;
    // The name of the file is a hash of the path, so a changed path is noticed.
    if (named !== undefined && isOf(named)) return named;
    return own !== null && isOf(own) ? own : null;
  });
  const paths = found.filter((path) => path !== null);
  return { paths: paths.sort(), unnamed: found.length - paths.length };
}

/** The records of a repository, oldest first. `repository` is the real path of its root. */
export function readHookRecords(cacheDirectory: string, repository: string): readonly HookRecord[] {
  const known = new Set<string>();
  const lines = new HookFiles(cacheDirectory).records(repository);
  return readLines(hookRecord, lines).filter((record) => {
    // A client that is set up twice reports each use of a tool twice.
    if (record.kind !== 'file' || record.call === '') return true;
    const key = JSON.stringify([record.session, record.call, record.path, record.lines]);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

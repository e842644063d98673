// Sessions out of hook records: what each hook added, and whether the agent then read or edited those lines.

import { type AnswerRecord, type FileRecord, type HookRecord, readHookRecords } from '../hook/index.ts';

/**
 * The use of a place that a hook showed or named. `file`: its file was used, at other lines or at unknown lines.
 * `unknown`: the session has no record of any file, so its use is unknown.
 */
type PlaceUse = 'edited' | 'read' | 'file' | 'none' | 'unknown';

/** A place that a hook showed or named: a definition, or a whole file where the form has no lines. */
interface InjectedPlace {
  readonly path: string;
  /** First and last line; null for a whole file. */
  readonly lines: readonly [number, number] | null;
  /** The definition; null where it was not recorded. */
  readonly name: string | null;
  readonly shown: 'code' | 'name';
  readonly use: PlaceUse;
}

/** A file that an agent used although no hook of the session had named it. */
export interface Miss {
  readonly at: string;
  readonly path: string;
  readonly how: FileRecord['how'];
}

/** One answer of a hook. */
export interface SessionAnswer
  extends Pick<
    AnswerRecord,
    | 'at'
    | 'client'
    | 'event'
    | 'session'
    | 'agent'
    | 'form'
    | 'verdict'
    | 'confidence'
    | 'reason'
    | 'characters'
    | 'milliseconds'
    | 'prompt'
    | 'package'
  > {
  /** False when nothing was added; `reason` says why. */
  readonly spoke: boolean;
  /** Null when they were not counted. */
  readonly tokens: number | null;
  readonly places: readonly InjectedPlace[];
  /** Files that were used after this prompt and that no hook of the session had named. */
  readonly misses: readonly Miss[];
}

/** One session of a client in a repository. */
export interface HookSession {
  readonly client: string;
  /** The client's id; empty when it sends none. */
  readonly id: string;
  /** Times of the first and last event. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** In the order in which they were given. */
  readonly answers: readonly SessionAnswer[];
  /** Files that the agent has read and edited, in order. */
  readonly files: readonly FileRecord[];
}

/** The sessions of a repository, newest first. `repository` is the real path of its root. */
export const readSessions = (cacheDirectory: string, repository: string): readonly HookSession[] =>
  sessionsOf(readHookRecords(cacheDirectory, repository));

/** A record and its position in the log. The clock may be set back, so only the log gives the order. */
type Placed<One> = One & { readonly order: number };

/** All sessions, the one with the newest event first. */
function sessionsOf(records: readonly HookRecord[]): readonly HookSession[] {
  const groups = new Map<string, Placed<HookRecord>[]>();
  for (const [order, record] of records.entries()) {
    if (!Number.isFinite(Date.parse(record.at))) continue;
    const key = JSON.stringify([record.client, record.session]);
    const group = groups.get(key);
    const placed = { ...record, order };
    if (group) group.push(placed);
    else groups.set(key, [placed]);
  }
  return [...groups.values()]
    .map(sessionOf)
    .sort((a, b) => compare(b.endedAt, a.endedAt) || compare(a.id, b.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function sessionOf(records: readonly Placed<HookRecord>[]): HookSession {
  const { client, session: id } = records[0]!;
  const answers = records.filter((one): one is Placed<AnswerRecord> => one.kind === 'answer');
  const files = records.filter((one): one is Placed<FileRecord> => one.kind === 'file');
  let [startedAt, endedAt] = [records[0]!.at, records[0]!.at];
  for (const { at } of records) {
    if (at < startedAt) startedAt = at;
    if (at > endedAt) endedAt = at;
  }
  // Without an id the records of several sessions are mixed.
  const isWatched = id !== '' && files.length > 0;
  const told = answers.map((answer) => (answer.characters > 0 ? placesOf(answer) : []));
  const uses = isWatched ? lastUses(told.flat(), files) : new Map<string, LastUse>();
  const misses = isWatched ? missesOf(answers, told, files) : new Map<number, Miss[]>();
  return {
    ...{ client, id, startedAt, endedAt },
    answers: answers.map((answer, at) => ({
      ...shownAnswer(answer),
      places: told[at]!.map(({ key, ...place }) => ({
        ...place,
        use: isWatched ? useAfter(uses.get(key), answer.order) : 'unknown',
      })),
      misses: misses.get(answer.order) ?? [],
    })),
    files: files.map(({ order, ...file }) => file),
  };
}

function shownAnswer(answer: Placed<AnswerRecord>): Omit<SessionAnswer, 'places' | 'misses'> {
  const { at, client, event, session, agent, form, verdict, confidence, reason } = answer;
  const { characters, milliseconds, prompt, package: id, tokens = null } = answer;
  return {
    ...{ at, client, event, session, agent, form, verdict, confidence, reason },
    ...{ characters, tokens, milliseconds, prompt, package: id, spoke: characters > 0 },
  };
}

type ToldPlace = Omit<InjectedPlace, 'use'> & { readonly key: string };

/** `path:10`, `path:10-42` or a path alone. */
const PLACE = /^(.*):(\d{1,9})(?:-(\d{1,9}))?$/s;

function placesOf({ form, places, locations, names = [] }: AnswerRecord): readonly ToldPlace[] {
  // Forms other than a brief name whole files, and a file name may end like a place.
  const hasLines = form === 'brief' || form === 'restored';
  const read = (place: string, shown: InjectedPlace['shown'], at: number): ToldPlace => {
    const [, path, first, last = first] = (hasLines && PLACE.exec(place)) || [];
    const name = names[at] || null;
    const lines = path === undefined ? null : ([Number(first), Number(last)] as const);
    return { key: place, path: path ?? place, lines, name, shown };
  };
  return [
    ...places.map((place, at) => read(place, 'code', at)),
    ...locations.map((place, at) => read(place, 'name', places.length + at)),
  ];
}

/** The last use of a place, as a position in the log; -1 for never. */
interface LastUse {
  edited: number;
  read: number;
  file: number;
}

/** The strongest use after an answer. */
function useAfter(use: LastUse | undefined, order: number): PlaceUse {
  const kinds = ['edited', 'read', 'file'] as const;
  return kinds.find((kind) => (use?.[kind] ?? -1) > order) ?? 'none';
}

/** The last uses of each place. Uses are read from the end, so a place that is resolved is not looked at again. */
function lastUses(
  told: readonly ToldPlace[],
  files: readonly Placed<FileRecord>[],
): ReadonlyMap<string, LastUse> {
  const found = new Map<string, LastUse>();
  const open = new Map<string, { readonly place: ToldPlace; readonly use: LastUse }[]>();
  for (const place of told) {
    if (found.has(place.key)) continue;
    const use = { edited: -1, read: -1, file: -1 };
    found.set(place.key, use);
    const others = open.get(place.path);
    if (others) others.push({ place, use });
    else open.set(place.path, [{ place, use }]);
  }
  for (const { path, how, lines, order } of files.toReversed()) {
    const left = open.get(path);
    if (left === undefined) continue;
    for (const { place, use } of left) {
      const kind = how === 'edit' ? 'edited' : 'read';
      if (use[kind] === -1 && touches(place.lines, how, lines)) use[kind] = order;
      if (use.file === -1) use.file = order;
    }
    open.set(
      path,
      left.filter(({ use }) => use.edited === -1 || use.read === -1),
    );
  }
  return found;
}

/** Whether a use reaches the lines. A tool that reads without naming lines shows the whole file. */
function touches(told: InjectedPlace['lines'], how: FileRecord['how'], used: FileRecord['lines']): boolean {
  if (told === null) return true;
  if (used === null) return how === 'read';
  return used[0] <= told[1] && used[1] >= told[0];
}

/** Files that no earlier answer named, by the answer that led to them; each file once in a session. */
function missesOf(
  answers: readonly Placed<AnswerRecord>[],
  told: readonly (readonly ToldPlace[])[],
  files: readonly Placed<FileRecord>[],
): ReadonlyMap<number, Miss[]> {
  const misses = new Map<number, Miss[]>();
  const known = new Set<string>();
  /** The last answer of each thread; a subagent without one uses the last answer of the session. */
  const lastOf = new Map<string | null, number>();
  let last = -1;
  let next = 0;
  for (const { order, path, how, at, agent } of files) {
    for (; next < answers.length && answers[next]!.order < order; next++) {
      last = answers[next]!.order;
      lastOf.set(answers[next]!.agent, last);
      for (const place of told[next]!) known.add(place.path);
    }
    if (last === -1 || known.has(path)) continue;
    known.add(path);
    const cause = lastOf.get(agent) ?? last;
    misses.set(cause, [...(misses.get(cause) ?? []), { at, path, how }]);
  }
  return misses;
}

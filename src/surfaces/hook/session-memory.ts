import { isRecord } from './hook-call.ts';
import type { HookFiles } from './hook-files.ts';

/** A subagent that was given a package and has not started yet. */
export interface StartedTask {
  readonly agent: string;
  readonly action: string | null;
  readonly domains: readonly string[];
  readonly paths: readonly string[];
}

type Entry =
  | { readonly kind: 'map' }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'told'; readonly id: string; readonly paths: readonly string[] }
  | { readonly kind: 'turn'; readonly id: string }
  | { readonly kind: 'rules'; readonly ids: readonly string[] }
  | { readonly kind: 'handled'; readonly tool: string }
  | ({ readonly kind: 'task' } & StartedTask)
  | { readonly kind: 'start'; readonly agent: string };

/**
 * What the agents of one session have been told: a log that every event adds to, so that events that happen at the
 * same time lose nothing. Without a session id nothing is remembered.
 */
export class SessionMemory {
  readonly #files: HookFiles;
  readonly #session: string;
  readonly #entries: readonly Entry[];
  /** How often the client has thrown away what was told. */
  readonly timesForgotten: number;

  constructor(files: HookFiles, session: string) {
    this.#files = files;
    this.#session = session;
    const all = session === '' ? [] : parse(files.read('sessions', session) ?? '');
    const forgotten = all.findLastIndex(({ kind }) => kind === 'forgotten');
    this.timesForgotten = all.filter(({ kind }) => kind === 'forgotten').length;
    this.#entries = all.slice(forgotten + 1);
  }

  get hasMap(): boolean {
    return this.#entries.some(({ kind }) => kind === 'map');
  }

  /** Id of the last package that the main thread was told of. */
  get lastTold(): string | null {
    return this.#told().at(-1)?.id ?? null;
  }

  /** Id of the package of the turn that is going on. */
  get turn(): string | null {
    return this.#entries.findLast((entry) => entry.kind === 'turn')?.id ?? null;
  }

  /** Nothing of it would be new. */
  hasTold(paths: readonly string[]): boolean {
    const told = new Set(this.#told().flatMap((entry) => entry.paths));
    return paths.every((path) => told.has(path));
  }

  hasRule(id: string): boolean {
    return this.#entries.some((entry) => entry.kind === 'rules' && entry.ids.includes(id));
  }

  hasHandled(tool: string): boolean {
    return tool !== '' && this.#entries.some((entry) => entry.kind === 'handled' && entry.tool === tool);
  }

  /** Tasks that subagents of this kind were given and have not started on. */
  waiting(agent: string): readonly StartedTask[] {
    const tasks = this.#entries.filter((entry) => entry.kind === 'task').filter((one) => one.agent === agent);
    const begun = this.#entries.filter((entry) => entry.kind === 'start' && entry.agent === agent).length;
    return tasks.slice(begun);
  }

  add(entry: Entry): void {
    if (this.#session !== '') this.#files.append('sessions', this.#session, JSON.stringify(entry));
  }

  #told() {
    return this.#entries.filter((entry) => entry.kind === 'told');
  }
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function parse(text: string): Entry[] {
  return text.split('\n').flatMap((line) => {
    const entry = line === '' ? null : parseLine(line);
    return entry !== null && isEntry(entry) ? [entry] : [];
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { kind, id, ids, paths, domains, agent, action, tool } = value;
  switch (kind) {
    case 'map':
    case 'forgotten':
      return true;
    case 'told':
      return typeof id === 'string' && isTexts(paths);
    case 'turn':
      return typeof id === 'string';
    case 'rules':
      return isTexts(ids);
    case 'handled':
      return typeof tool === 'string';
    case 'start':
      return typeof agent === 'string';
    case 'task':
      return typeof agent === 'string' && isTextOrNull(action) && isTexts(domains) && isTexts(paths);
    default:
      return false;
  }
}

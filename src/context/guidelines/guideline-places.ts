// Loads guidelines from their three places: the user's folder, the repository and Loadout itself. A file with a mistake
// is reported and skipped.

import { parse } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { describeSkip } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { parseYamlSafely } from '../../schema/parse-yaml-safely.ts';
import { MAX_DOCUMENT_BYTES, type ParsedDocument, pointerTo } from '../../schema/parsed-document.ts';
import { isJsonObject, type JsonValue } from '../../schema/schema.ts';
import { readValue, showIssue, type ValuePath } from '../../schema/value-issues.ts';
import { plainJson, showRefusal } from '../answers/index.ts';
import { BUILT_IN_GUIDELINES } from './built-in-guidelines.ts';
import { type Guideline, guidelineSchema } from './guideline-schema.ts';

/** Relative to the root of the repository. */
export const REPOSITORY_GUIDELINES = '.loadout/guidelines';
/** Relative to the user's config directory. */
export const USER_GUIDELINES = 'guidelines';
/** Of one folder. */
const MAX_FILES = 100;
const FILE = /\.(json|ya?ml)$/;

/** The strongest first: a repository cannot switch off a guideline of the user. */
const GUIDELINE_PLACES = ['user', 'repository', 'built-in'] as const;
export type GuidelinePlace = (typeof GUIDELINE_PLACES)[number];

/** A guideline and where it comes from. */
export interface LoadedGuideline {
  readonly guideline: Guideline;
  readonly place: GuidelinePlace;
  /** As messages call it. */
  readonly file: string;
}

/** The result of loading all places. */
export interface LoadedGuidelines {
  /** One for each id, the highest priority first. */
  readonly guidelines: readonly LoadedGuideline[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where to look for guidelines. The built-in ones are always there. */
export interface GuidelineFolders {
  /** Null outside of a repository. */
  readonly repository: SafeRoot | null;
  /** The user's config directory, absolute. */
  readonly userDirectory: string;
}

/** All guidelines for a repository. A file with a mistake is a diagnostic and never an error. */
export async function loadGuidelines(folders: GuidelineFolders): Promise<LoadedGuidelines> {
  const user = folderOf(`${folders.userDirectory}/${USER_GUIDELINES}`);
  const places = [
    await readPlace('user', user.root, user.folder, `${folders.userDirectory}/${USER_GUIDELINES}`),
    folders.repository
      ? await readPlace('repository', folders.repository, REPOSITORY_GUIDELINES, REPOSITORY_GUIDELINES)
      : NOTHING,
    { guidelines: BUILT_IN, diagnostics: [] },
  ];
  // The first guideline of an id wins, because the strongest place comes first.
  const chosen = new Map<string, LoadedGuideline>();
  for (const { guidelines } of places)
    for (const one of guidelines) if (!chosen.has(one.guideline.id)) chosen.set(one.guideline.id, one);
  return {
    guidelines: [...chosen.values()].sort(byPriority),
    diagnostics: places.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The highest priority first; equal ones by id, so that the order is always the same. */
export function byPriority({ guideline: a }: LoadedGuideline, { guideline: b }: LoadedGuideline): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

const NOTHING: LoadedGuidelines = { guidelines: [], diagnostics: [] };
const BUILT_IN: readonly LoadedGuideline[] = BUILT_IN_GUIDELINES.map((guideline) => {
  return { guideline, place: 'built-in', file: `built-in:${guideline.id}` };
});

/** Links on the way are followed: the folder is the user's own. */
function folderOf(path: string): { readonly root: SafeRoot; readonly folder: string } {
  const root = openSafeRoot(parse(path).root);
  return { root, folder: root.contain(path) };
}

async function readPlace(
  place: GuidelinePlace,
  root: SafeRoot,
  folder: string,
  label: string,
): Promise<LoadedGuidelines> {
  const diagnostics: Diagnostic[] = [];
  const warn = (message: string) =>
    diagnostics.push({ code: 'guideline-not-read', severity: 'warning', message });
  const entries = root.list(folder);
  if (entries === null && root.stat(folder) !== null) warn(`${label} is not read: it is not a folder`);
  const files = (entries ?? []).filter(({ name, type }) => type !== 'directory' && FILE.test(name));
  if (files.length > MAX_FILES)
    warn(`${label} holds ${files.length} files; only the first ${MAX_FILES} are read`);
  const guidelines: LoadedGuideline[] = [];
  for (const { name } of files.slice(0, MAX_FILES)) {
    const file = `${label}/${name}`;
    const outcome = root.read(`${folder}/${name}`, MAX_DOCUMENT_BYTES);
    const decoded = outcome.kind === 'content' ? decodeText(outcome.bytes) : null;
    if (decoded?.kind !== 'text') {
      warn(`${file} is not read: ${describeSkip(outcome.kind === 'skipped' ? outcome.reason : 'binary')}`);
      continue;
    }
    const read = await readGuidelineFile(decoded.text, file);
    for (const problem of read.problems) warn(problem);
    for (const guideline of read.guidelines) guidelines.push({ guideline, place, file });
  }
  return { guidelines, diagnostics };
}

/** The content of one guideline file. */
export interface GuidelineFile {
  /** The valid ones. */
  readonly guidelines: readonly Guideline[];
  /** Whole sentences that begin with file, line and column. */
  readonly problems: readonly string[];
}

/** Of one file. */
const MAX_GUIDELINES = 200;

/** Reads one file. It holds a guideline, or a list of them under `guidelines`. */
export async function readGuidelineFile(text: string, file: string): Promise<GuidelineFile> {
  let document: ParsedDocument;
  try {
    document = file.endsWith('.json') ? parseJsonDocument(text, file) : await parseYamlSafely(text, file);
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return { guidelines: [], problems: [error.message] };
  }
  const plain = plainJson(document.value);
  if (plain.kind === 'refused')
    return { guidelines: [], problems: [`${file}: ${showRefusal(plain.refusal)}`] };
  return readAll(plain.value, document, file);
}

/** Checks each guideline by itself, so that one mistake does not affect the others. */
function readAll(value: JsonValue, { positions }: ParsedDocument, file: string): GuidelineFile {
  const guidelines: Guideline[] = [];
  const problems: string[] = [];
  const say = (path: ValuePath, what: string) => {
    const pointer = path.reduce<string>((parent, key) => pointerTo(parent, key), '');
    const place = positions.get(pointer) ?? positions.get(pointer.slice(0, pointer.lastIndexOf('/')));
    problems.push(`${file}:${place?.line ?? 1}:${place?.column ?? 1}: ${what}`);
  };
  const readOne = (one: JsonValue, path: ValuePath) => {
    const read = readValue(guidelineSchema, withoutSchemaLine(one), path);
    if (read.kind === 'read') guidelines.push(read.value);
    else for (const issue of read.issues) say(issue.path, showIssue(issue));
  };
  const several = isJsonObject(value) && Object.hasOwn(value, 'guidelines') ? value.guidelines : undefined;
  if (several === undefined) readOne(value, []);
  else if (!Array.isArray(several)) say(['guidelines'], 'guidelines: expected a list');
  else if (several.length > MAX_GUIDELINES)
    say(['guidelines'], `guidelines: at most ${MAX_GUIDELINES} are read, and here are ${several.length}`);
  else for (const [at, one] of several.entries()) readOne(one, ['guidelines', at]);
  return { guidelines, problems };
}

/** A file may name its schema for editors; that line is not part of a guideline. */
function withoutSchemaLine(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !Object.hasOwn(value, '$schema')) return value;
  const { $schema: _, ...rest } = value;
  return rest;
}

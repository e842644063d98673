import { join, parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, type TrustedRoot } from '../../config/trust/read-trust.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { describeSkip } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import {
  type ArgumentKinds,
  checkArguments,
  FLAG,
  objectWith,
  orNull,
  required,
  TEXT,
  wholeNumber,
} from '../../schema/check-arguments.ts';
import { nearestName } from '../../schema/value-issues.ts';
import { assembleRole } from './assemble-role.ts';
import type { RoleDocument } from './read-role-document.ts';
import { type RoleText, readRoleDocument } from './read-role-document.ts';
import type { LoadedRole, Role, RoleFinding, RoleSource } from './role.ts';
import { RoleValidationError } from './role.ts';
import { roleFields } from './role-fields.ts';
import { roleFinding, showValue } from './role-findings.ts';
import {
  contentOf,
  folderPlace,
  type RolePlace,
  readAnywhere,
  realPath,
  repositoryPlace,
  roleNameOf,
} from './role-places.ts';

export interface RoleLoaderOptions {
  /**
   * Its `.loadout/roles/` is looked at first; `readTrust` gives it. Files that say what runs are obeyed only when the
   * user trusts the repository.
   */
  readonly repository: TrustedRoot | null;
  /** The user's config directory; its `roles/` is looked at next. */
  readonly userDirectory: string | null;
  /** For models with a larger window than 100,000 tokens. */
  readonly maxTokenBudget?: number;
}

export interface RoleCheck extends RoleSource {
  /** Null when a finding is an error. */
  readonly role: Role | null;
  readonly findings: readonly RoleFinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds roles by name: in the repository, in the user's config directory, among the built-in ones. It sees the
 * files as they are when it is created: make a new one for each request.
 */
export interface RoleLoader {
  /** Every name that can be loaded, sorted, broken roles too. */
  names(): readonly string[];
  /** The role with all it inherits, or a `RoleValidationError` or an `unknown-role` error. */
  load(name: string): Promise<LoadedRole>;
  /** The same, with what is wrong as a value. */
  check(name: string): Promise<RoleCheck>;
  /** Any file, wherever it lies; its parents come from the usual places. */
  checkFile(path: string): Promise<RoleCheck>;
  /** The file as it is written. */
  source(name: string): RoleText;
  /** What was left out of the places themselves. */
  diagnostics(): readonly Diagnostic[];
}

const OPTION_KINDS: ArgumentKinds<RoleLoaderOptions> = {
  repository: required(orNull(objectWith('what readTrust gives', { root: ROOT, isTrusted: FLAG }))),
  userDirectory: required(orNull(TEXT)),
  maxTokenBudget: wholeNumber(1),
};

export function createRoleLoader(options: RoleLoaderOptions): RoleLoader {
  checkArguments('createRoleLoader', options, OPTION_KINDS);
  const { repository, userDirectory } = options;
  const table = roleFields(options.maxTokenBudget);
  const userRoles = userDirectory === null ? null : join(userDirectory, 'roles');
  const places: readonly RolePlace[] = [
    ...(repository ? [repositoryPlace(repository)] : []),
    ...(userRoles === null ? [] : [folderPlace('user', userRoles)]),
    folderPlace('built-in', builtInRolesFolder()),
  ];
  const names = () => [...new Set(places.flatMap((place) => place.names()))].sort();
  const source = (name: string): RoleText => {
    checkArguments('roles', { name }, { name: required(TEXT) });
    for (const place of places) {
      const text = place.read(name);
      if (text) return text;
    }
    throw unknownRole(name, names());
  };

  // Many roles extend the same few, and a hostile chain is read once, not once for each of its links.
  const read = new Map<string, Promise<RoleDocument>>();
  const readDocument = (text: RoleText): Promise<RoleDocument> => {
    const document = read.get(text.file) ?? readRoleDocument(text, table, replacedBy(text, places));
    read.set(text.file, document);
    return document;
  };

  const checkText = async (text: RoleText): Promise<RoleCheck> => {
    const own = await readDocument(text);
    const { documents, findings } = await resolveChain(own, places, readDocument);
    const { name, place, file } = own;
    const isBroken = findings.some(({ severity }) => severity === 'error');
    const assembled = isBroken ? null : assembleRole(documents, table);
    const all = [...findings, ...(assembled?.findings ?? [])];
    const diagnostics = [
      ...all.filter(({ severity }) => severity === 'warning').map(asDiagnostic),
      ...shadowed(own),
      ...(assembled?.diagnostics ?? []),
    ];
    return { name, place, file, role: assembled?.role ?? null, findings: all, diagnostics };
  };

  return {
    names,
    source,
    check: async (name) => checkText(source(name)),
    load: async (name) => {
      const { role, findings, diagnostics } = await checkText(source(name));
      if (!role) throw new RoleValidationError(findings);
      return { role, diagnostics };
    },
    checkFile: async (path) => {
      checkArguments('checkFile', { path }, { path: required(TEXT) });
      const full = realPath(resolve(path));
      const { dir, base } = parse(full);
      const name = roleNameOf(base);
      const placed = places.find(({ folder }) => folder === dir);
      return checkText((name === null ? null : placed?.read(name)) ?? namedFile(full, name));
    },
    diagnostics: () => places.flatMap((place) => place.diagnostics()),
  };
}

function namedFile(path: string, name: string | null): RoleText {
  const outcome = readAnywhere(path);
  const isThere = outcome.kind === 'content' || outcome.reason === 'too-large';
  if (name !== null && isThere)
    return { name, place: 'named', file: path, isTrusted: false, content: contentOf(outcome) };
  const why = isThere ? 'its name does not end in .yaml or .yml' : describeSkip(outcome.reason);
  throw new LoadoutError('unreadable', `cannot read the role file ${path}: ${why}`, { subject: path });
}

function unknownRole(name: string, known: readonly string[]): LoadoutError {
  const near = nearestName(name, known);
  return new LoadoutError('unknown-role', `there is no role ${showValue(name)}`, {
    subject: name,
    hint: near ? `did you mean ${near}?` : `there are ${known.slice(0, 30).join(', ')}`,
  });
}

const asDiagnostic = ({ code, message }: RoleFinding): Diagnostic => ({
  code: `role-${code}`,
  severity: 'warning',
  message,
});

/** Whose role of the same name a file of the repository takes the place of. */
function replacedBy({ name, place }: RoleSource, places: readonly RolePlace[]): string | null {
  if (place !== 'repository') return null;
  return places.find(({ kind, names }) => kind !== 'repository' && names().includes(name))?.label ?? null;
}

/** The user should know when a repository has put its own role in the place of another. */
function shadowed({ name, file, replaces, isTrusted, values }: RoleDocument): Diagnostic[] {
  if (replaces === null) return [];
  if (!isTrusted && !['cli', 'context', 'config'].some((field) => field in values)) return [];
  const message = isTrusted
    ? `the role ${name} is the repository's own (${file}), not that of ${replaces}`
    : `the repository changes how the role ${name} of ${replaces} runs and what it sees (${file})`;
  return [{ code: 'role-shadowed', severity: 'info', message, path: file }];
}

/** Beside `dist/` in an installed package, beside `src/` when the sources run as they are. */
const CANDIDATES = ['../roles', '../../../roles'];

/** The folder of the roles that come with the package. */
export function builtInRolesFolder(): string {
  const folders = CANDIDATES.map((relative) => fileURLToPath(new URL(relative, import.meta.url)));
  const found = folders.find((folder) => readAnywhere(`${folder}/planner.yaml`).kind === 'content');
  if (found !== undefined) return found;
  throw new LoadoutError('roles-missing', 'the built-in roles are not part of this installation', {
    hint: 'install the package again',
  });
}

/** A chain may have any depth, but all its files together no more than this. */
const MAX_CHAIN_BYTES = 1024 * 1024;

export interface RoleChain {
  /** The role's own file first. */
  readonly documents: readonly RoleDocument[];
  readonly findings: readonly RoleFinding[];
}

/**
 * Follows `extends` to the root. A parent is looked for in the place of its child and in those after it, never in
 * one before: a repository cannot change what the user's own roles mean. A role that extends its own name means
 * the one in a later place, and so does a file that stands in the place of another role and is not trusted, whatever
 * it says: nobody gets another base, template or set of permissions under a name that is known.
 */
export async function resolveChain(
  own: RoleDocument,
  places: readonly RolePlace[],
  readDocument: (text: RoleText) => Promise<RoleDocument>,
): Promise<RoleChain> {
  const documents = [own];
  const findings = [...own.findings];
  let bytes = own.bytes;
  let from = Math.max(
    0,
    places.findIndex(({ kind }) => kind === own.place),
  );
  for (let child = own; isHeldToName(child) || typeof child.values.extends === 'string'; ) {
    const said = child.values.extends;
    const parentName: string = typeof said === 'string' ? said : child.name;
    const chain = [...documents.map(({ name }) => name), parentName];
    const asked = findRole(parentName, child, places, from);
    // What it asks for must exist all the same: the mistake would come up on the day it is trusted.
    const found = asked && isHeldToName(child) ? findRole(child.name, child, places, from) : asked;
    const isRepeated = documents.some(({ file }) => file === found?.text.file);
    if (isRepeated || (!found && parentName === child.name)) {
      findings.push(chainFinding('cycle', child, chain, 'which leads back to itself'));
      break;
    }
    if (!found) {
      findings.push(chainFinding('missing-parent', child, chain, describeMissing(parentName, places, from)));
      break;
    }
    const parent = await readDocument(found.text);
    bytes += parent.bytes;
    if (bytes > MAX_CHAIN_BYTES) {
      const what = `and the files of the chain have more than ${MAX_CHAIN_BYTES} bytes together`;
      findings.push(chainFinding('chain-too-large', child, chain, what));
      break;
    }
    findings.push(...parent.findings.map((finding) => inherited(finding, chain)));
    documents.push(parent);
    child = parent;
    from = found.place;
  }
  return { documents, findings };
}

const isHeldToName = ({ isTrusted, replaces }: RoleDocument): boolean => !isTrusted && replaces !== null;

function findRole(name: string, child: RoleDocument, places: readonly RolePlace[], from: number) {
  for (let place = from; place < places.length; place += 1) {
    const isOwnPlace = places[place]!.kind === child.place;
    if (isOwnPlace && name === child.name) continue;
    const text = places[place]!.read(name);
    if (text) return { text, place };
  }
  return null;
}

function describeMissing(name: string, places: readonly RolePlace[], from: number): string {
  const known = new Set(places.slice(from).flatMap((place) => place.names()));
  const near = nearestName(name, known);
  const before = places.slice(0, from).find((place) => place.names().includes(name));
  if (before) return `which is only in ${before.label}, where this role may not look`;
  const hint = near ? `did you mean ${near}?` : `known are ${[...known].slice(0, 30).join(', ') || 'none'}`;
  return `and there is no such role; ${hint}`;
}

function chainFinding(
  code: 'cycle' | 'missing-parent' | 'chain-too-large',
  child: RoleDocument,
  chain: readonly string[],
  what: string,
): RoleFinding {
  const value = child.values.extends;
  return roleFinding(child.file, {
    code,
    position: child.positions.get('/extends'),
    field: 'extends',
    value: { of: value },
    says: `extends is ${showValue(value)}, ${what} (chain: ${showChain(chain)})`,
  });
}

/** A finding about a file that the user did not ask for says how it came into play. */
function inherited(finding: RoleFinding, chain: readonly string[]): RoleFinding {
  return { ...finding, message: `${finding.message} (chain: ${showChain(chain)})` };
}

function showChain(chain: readonly string[]): string {
  const names = chain.map((name) => name.slice(0, 80));
  if (names.length <= 20) return names.join(' -> ');
  return [...names.slice(0, 10), `${names.length - 20} more`, ...names.slice(-10)].join(' -> ');
}

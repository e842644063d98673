// Finds roles by name, follows their `extends` chains and returns merged roles. The command line, workers, hooks and
// the library all load roles through `createRoleLoader`.

import { join, parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, type TrustedRoot } from '../../config/index.ts';
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

/** Where to look for roles. The built-in ones are always there and come last. */
export interface RoleLoaderOptions {
  /**
   * The result of `readTrust`. Its `.loadout/roles/` is searched first. Its files may name commands only when the user
   * trusts the repository.
   */
  readonly repository: TrustedRoot | null;
  /** The user's config directory. Its `roles/` is searched next. */
  readonly userDirectory: string | null;
  /** Raises the limit of `token_budget` for models with a window above 100,000 tokens. */
  readonly maxTokenBudget?: number;
}

/** A role file with everything that is wrong with it. */
export interface RoleCheck extends RoleSource {
  /** Null when a finding is an error. */
  readonly role: Role | null;
  readonly findings: readonly RoleFinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds roles by name: in the repository, then in the user's config directory, then among the built-in ones. It lists
 * the folders once, so create a new loader for each request.
 */
export interface RoleLoader {
  /** All role names, sorted. Roles with mistakes are included. */
  names(): readonly string[];
  /** The merged role. Throws `RoleValidationError`, or an error with the code `unknown-role`. */
  load(name: string): Promise<LoadedRole>;
  /** Like `load`, but mistakes are part of the result. */
  check(name: string): Promise<RoleCheck>;
  /** Checks any file by its path. Its parents come from the usual places. */
  checkFile(path: string): Promise<RoleCheck>;
  /** The unparsed text of a role file. */
  source(name: string): RoleText;
  /** Problems with the folders themselves, such as too many files. */
  diagnostics(): readonly Diagnostic[];
}

const OPTION_KINDS: ArgumentKinds<RoleLoaderOptions> = {
  repository: required(orNull(objectWith('the result of readTrust', { root: ROOT, isTrusted: FLAG }))),
  userDirectory: required(orNull(TEXT)),
  maxTokenBudget: wholeNumber(1),
};

/** Opens the folders of roles. Files are read when a role is asked for. */
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

  // Many roles extend the same few. A hostile chain is also read once, not once for each of its files.
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

/** The label of the later place that has a role of the same name; null when the file replaces nothing. */
function replacedBy({ name, place }: RoleSource, places: readonly RolePlace[]): string | null {
  if (place !== 'repository') return null;
  return places.find(({ kind, names }) => kind !== 'repository' && names().includes(name))?.label ?? null;
}

/** Tells the user that a repository replaces or changes a role they may know. */
function shadowed({ name, file, replaces, isTrusted, values }: RoleDocument): Diagnostic[] {
  if (replaces === null) return [];
  if (!isTrusted && !['cli', 'context', 'config'].some((field) => field in values)) return [];
  const message = isTrusted
    ? `the role ${name} is the repository's own (${file}), not that of ${replaces}`
    : `the repository changes how the role ${name} of ${replaces} runs and what it sees (${file})`;
  return [{ code: 'role-shadowed', severity: 'info', message, path: file }];
}

/** Beside `dist/` in an installed package, beside `src/` when the sources run without a build. */
const CANDIDATES = ['../roles', '../../../roles'];

/** The folder of the built-in roles. */
export function builtInRolesFolder(): string {
  const folders = CANDIDATES.map((relative) => fileURLToPath(new URL(relative, import.meta.url)));
  const found = folders.find((folder) => readAnywhere(`${folder}/planner.yaml`).kind === 'content');
  if (found !== undefined) return found;
  throw new LoadoutError('roles-missing', 'the built-in roles are not part of this installation', {
    hint: 'install the package again',
  });
}

/** A chain may have any depth, but the total size of its files is limited. */
const MAX_CHAIN_BYTES = 1024 * 1024;

export interface RoleChain {
  /** The role's own file first. */
  readonly documents: readonly RoleDocument[];
  readonly findings: readonly RoleFinding[];
}

/**
 * Follows `extends` to the root. A parent is searched in the place of its child and in later places, never in earlier
 * ones, so a repository cannot change the user's own roles. A role that extends its own name extends the role of that
 * name in a later place. An untrusted file that replaces another role always extends the replaced one, whatever it
 * says, so a known name keeps its base, template and permissions.
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
    // The named parent must exist even if it is not used. Otherwise the role would break when it is trusted.
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

/** An untrusted file that replaces another role must extend that role. */
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

/** A finding about a parent file also shows the chain that led to it. */
function inherited(finding: RoleFinding, chain: readonly string[]): RoleFinding {
  return { ...finding, message: `${finding.message} (chain: ${showChain(chain)})` };
}

function showChain(chain: readonly string[]): string {
  const names = chain.map((name) => name.slice(0, 80));
  if (names.length <= 20) return names.join(' -> ');
  return [...names.slice(0, 10), `${names.length - 20} more`, ...names.slice(-10)].join(' -> ');
}

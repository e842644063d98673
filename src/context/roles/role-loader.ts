import { join, parse, resolve } from 'node:path';
import type { TrustedRoot } from '../../config/trust/read-trust.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { ReadOutcome } from '../../platform/fs/safe-root.ts';
import { nearestName } from '../../schema/nearest-name.ts';
import { assembleRole } from './assemble-role.ts';
import { builtInRolesFolder } from './built-in-roles.ts';
import { type RoleText, readRoleDocument } from './read-role-document.ts';
import { resolveChain } from './resolve-chain.ts';
import type { LoadedRole, Role, RoleFinding, RoleSource } from './role.ts';
import type { RoleDocument } from './role-document.ts';
import { roleFields } from './role-fields.ts';
import {
  contentOf,
  folderPlace,
  type RolePlace,
  readAnywhere,
  realPath,
  repositoryPlace,
  roleNameOf,
} from './role-places.ts';
import { RoleValidationError } from './role-validation-error.ts';
import { showValue } from './show-value.ts';

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

export function createRoleLoader(options: RoleLoaderOptions): RoleLoader {
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
  const why = isThere ? 'its name does not end in .yaml or .yml' : describeSkip(outcome);
  throw new LoadoutError('unreadable', `cannot read the role file ${path}: ${why}`, { subject: path });
}

const describeSkip = (outcome: ReadOutcome): string =>
  outcome.kind === 'skipped' && outcome.reason !== 'vanished' ? outcome.reason : 'it does not exist';

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

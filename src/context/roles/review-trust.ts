import {
  findConfigFile,
  REPOSITORY_CONFIG_NAMES,
  readConfigDocument,
  settingByName,
  type TrustState,
} from '../../config/index.ts';
import { describeSkip } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { MAX_DOCUMENT_BYTES } from '../../schema/parsed-document.ts';
import { repositoryTemplates } from '../prompt/index.ts';
import type { WithheldParts } from './role.ts';
import { createRoleLoader } from './role-loader.ts';

/** Everything that a repository would be allowed to do if the user trusted it. `loadout trust` shows it. */
export interface TrustReview {
  /** Settings that only a user may set. `where` is `file:line:column`. */
  readonly settings: readonly { readonly name: string; readonly value: unknown; readonly where: string }[];
  /** Roles of the repository with withheld fields. */
  readonly roles: readonly (WithheldParts & { readonly name: string; readonly file: string })[];
  /** Templates that prompts can be rendered with. */
  readonly templates: readonly { readonly name: string; readonly file: string }[];
  /** Files that cannot be read. Trust would cover them too, so the user has to know about them. */
  readonly problems: readonly string[];
}

/**
 * Reads what needs trust, without using any of it. `root` must be the root that the user is about to trust, so that the
 * review covers the same files.
 */
export async function reviewTrust(
  { root }: Pick<TrustState, 'root'>,
  userDirectory: string | null,
): Promise<TrustReview> {
  const problems: string[] = [];
  const settings = await readHeldSettings(root, problems).catch((error: unknown) => {
    if (!(error instanceof LoadoutError)) throw error;
    problems.push(error.message);
    return [];
  });
  // Load the roles as untrusted: everything that is withheld then needs trust.
  const loader = createRoleLoader({ repository: { root, isTrusted: false }, userDirectory });
  problems.push(...loader.diagnostics().map(({ message }) => message));
  const roles: TrustReview['roles'][number][] = [];
  for (const name of loader.names()) {
    const { place, file, role, findings } = await loader.check(name);
    if (place !== 'repository') continue;
    const [first] = findings.filter(({ severity }) => severity === 'error');
    if (first) problems.push(first.message);
    const asks = role && Object.values(role.withheld).some((part) => part !== null && part.length > 0);
    if (asks) roles.push({ name, file, ...role.withheld });
  }
  const templates = repositoryTemplates({ root }).map(({ name, file, content }) => {
    if ('unreadable' in content) problems.push(`${file}: the file cannot be read: ${content.unreadable}`);
    return { name, file };
  });
  return { settings, roles, templates, problems };
}

/** Settings in the repository's config file that only a user may set. */
async function readHeldSettings(root: SafeRoot, problems: string[]): Promise<TrustReview['settings']> {
  const file = findConfigFile(REPOSITORY_CONFIG_NAMES, (name) => {
    const outcome = root.read(name, MAX_DOCUMENT_BYTES);
    const decoded = outcome.kind === 'content' ? decodeText(outcome.bytes) : null;
    const why = outcome.kind === 'skipped' ? outcome.reason : decoded?.kind === 'text' ? null : 'binary';
    if (why !== null && why !== 'vanished')
      problems.push(`${name}: the file cannot be read: ${describeSkip(why)}`);
    return decoded?.kind === 'text' ? decoded.text : null;
  });
  if (file === null) return [];
  const { name, entries } = await readConfigDocument(file);
  return [...entries].flatMap(([key, { value, position }]) => {
    if (settingByName(key)?.trust !== 'user') return [];
    return [{ name: key, value, where: `${name}:${position.line}:${position.column}` }];
  });
}

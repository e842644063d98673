import { join, parse } from 'node:path';
import { ROOT, type TrustedRoot } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { openSafeRoot, type ReadOutcome } from '../../platform/fs/safe-root.ts';
import {
  type ArgumentKinds,
  checkArguments,
  FLAG,
  objectWith,
  orNull,
  required,
  TEXT,
} from '../../schema/check-arguments.ts';
import {
  createTemplateEngine,
  listTemplates,
  renderTemplate,
  SHIPPED_TEMPLATES,
  TemplateError,
} from '../render/index.ts';
import { contentOf, readAnywhere, realPath } from '../roles/index.ts';

// The templates that a prompt can use: those of a trusted repository, of the user and of Loadout.

/** Relative to the root of the repository. */
const REPOSITORY_TEMPLATES = '.loadout/templates';
/** A folder with more files is a mistake or an attack. */
const MAX_FILES = 100;
/** Of one template. */
const MAX_BYTES = 256 * 1024;
const TEMPLATE_FILE = /^([A-Za-z0-9_-]{1,64})\.j2$/;

/** A set of templates for prompts. */
export interface PromptTemplates {
  /** The names that can be chosen. Parts of templates begin with `_` and are not listed. */
  readonly names: readonly string[];
  /** The template comes from a file of the user or the repository. */
  isOwn(name: string): boolean;
  /** Throws `TemplateError`, with the name and the line. */
  render(name: string, data: object): string;
  /** Notes about the choice of this name, such as a file that is not used. */
  diagnostics(name: string): readonly Diagnostic[];
}

/** Where to look for templates. */
export interface OpenTemplatesOptions {
  /** The result of `readTrust`. Its `.loadout/templates/` is used only if the user trusts it. */
  readonly repository: TrustedRoot | null;
  /** The user's config directory. Its `templates/` is used. */
  readonly userDirectory: string | null;
}

const OPTION_KINDS: ArgumentKinds<OpenTemplatesOptions> = {
  repository: required(orNull(objectWith('the result of readTrust', { root: ROOT, isTrusted: FLAG }))),
  userDirectory: required(orNull(TEXT)),
};

/**
 * Finds templates: files `NAME.j2` in the repository, if it is trusted, then in the user's config directory. They can
 * extend and include each other and the shipped ones, and nothing else. The names of shipped templates are taken.
 *
 * @example
 * const repository = await readTrust(openSafeRoot('.'), environment());
 * const packer = createContextPacker({ repo: '.', templates: openTemplates({ repository, userDirectory: null }) });
 */
export function openTemplates(options: OpenTemplatesOptions): PromptTemplates {
  checkArguments('openTemplates', options, OPTION_KINDS);
  const ofRepository = options.repository ? repositoryTemplates(options.repository) : [];
  const ofUser = options.userDirectory === null ? [] : userTemplates(options.userDirectory);
  const isTrusted = options.repository?.isTrusted === true;

  // The first file of a name wins: the repository knows best what its prompts should look like.
  const used = new Map<string, TemplateFile>();
  for (const file of [...(isTrusted ? ofRepository : []), ...ofUser]) {
    if (!SHIPPED_TEMPLATES.has(file.name) && !used.has(file.name)) used.set(file.name, file);
  }
  const unreadable = [...used.values()].filter(({ content }) => 'unreadable' in content);
  for (const { name } of unreadable) used.delete(name);
  const sources = [...used].map(
    ([name, { content }]) => [name, 'text' in content ? content.text : ''] as const,
  );
  const engine = createTemplateEngine(new Map([...SHIPPED_TEMPLATES, ...sources]));
  const withheld = isTrusted ? [] : ofRepository;

  return {
    names: engine.names.filter(isPrompt),
    isOwn: (name) => used.has(bareName(name)),
    render: (name, data) => {
      const bare = bareName(name);
      if (engine.names.includes(bare)) return engine.render(bare, data);
      const broken = unreadable.find((file) => file.name === bare);
      if (broken && 'unreadable' in broken.content) {
        const message = `The template ${broken.file} cannot be used: ${broken.content.unreadable}`;
        throw new TemplateError('template-unknown', message, null);
      }
      const untrusted = withheld.find((file) => file.name === bare);
      if (!untrusted) return engine.render(bare, data);
      const message = `The template ${untrusted.file} is not used, because you have not trusted this repository`;
      throw new TemplateError('template-unknown', message, null, '"loadout trust" shows what it asks for');
    },
    diagnostics: (name) => {
      const bare = bareName(name);
      const unused = [...ofRepository, ...ofUser].filter((file) => file.name === bare);
      if (SHIPPED_TEMPLATES.has(bare))
        return unused.map(({ file }) =>
          notUsed(file, `${bare} is the name of a template that comes with Loadout; choose another name`),
        );
      const reason = 'you have not trusted this repository; "loadout trust" shows what it asks for';
      return withheld.filter((file) => file.name === bare).map(({ file }) => notUsed(file, reason));
    },
  };
}

/** The shipped templates alone, for callers without files of their own. */
export const SHIPPED_ONLY: PromptTemplates = {
  names: listTemplates().filter(isPrompt),
  isOwn: () => false,
  render: renderTemplate,
  diagnostics: () => [],
};

/** A template file, which may be unreadable. */
interface TemplateFile {
  /** Without `.j2`. */
  readonly name: string;
  /** As messages call it. */
  readonly file: string;
  readonly content: { readonly text: string } | { readonly unreadable: string };
}

/** The template files of a repository, trusted or not, sorted by name. */
export function repositoryTemplates({ root }: Pick<TrustedRoot, 'root'>): readonly TemplateFile[] {
  const names = (root.list(REPOSITORY_TEMPLATES) ?? []).map(({ name }) => name);
  return templateFiles(names, REPOSITORY_TEMPLATES, (path) => root.read(path, MAX_BYTES));
}

/** Links are followed here: the folder is the user's own. */
function userTemplates(userDirectory: string): readonly TemplateFile[] {
  const folder = join(userDirectory, 'templates');
  const real = realPath(folder);
  const top = openSafeRoot(parse(real).root);
  const names = (top.list(top.contain(real)) ?? []).map(({ name }) => name);
  return templateFiles(names, folder, readAnywhere);
}

function templateFiles(
  names: readonly string[],
  folder: string,
  read: (path: string) => ReadOutcome,
): readonly TemplateFile[] {
  const files = names.filter((name) => TEMPLATE_FILE.test(name)).sort();
  return files.slice(0, MAX_FILES).map((fileName) => {
    const file = `${folder}/${fileName}`;
    return { name: bareName(fileName), file, content: contentOf(read(file)) };
  });
}

/** Parts begin with `_`; of these, only `_base` is also a whole prompt. */
function isPrompt(name: string): boolean {
  return name === '_base' || !name.startsWith('_');
}

function bareName(name: string): string {
  return name.replace(/\.j2$/, '');
}

function notUsed(file: string, reason: string): Diagnostic {
  return { code: 'template-not-used', severity: 'warning', message: `${file} is not used: ${reason}` };
}

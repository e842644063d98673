// The library's way to build prompts: one object with a method for each kind of prompt. Each method sets up the frame
// around the files, and `composePrompt` does the rest.

import { librarySettings, type Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LoadoutError } from '../../model/loadout-error.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { openGit } from '../../platform/git/git.ts';
import { safeDocument } from '../../redact/index.ts';
import { type IndexSession, type OpenScan, type ScanStep, useIndex } from '../../scan/index.ts';
import {
  type ArgumentKinds,
  checkArguments,
  FLAG,
  FUNCTION,
  ifGiven,
  mapWith,
  objectWith,
  oneOf,
  RECORD,
  required,
  SIGNAL,
  TEXT,
  TEXTS,
} from '../../schema/check-arguments.ts';
import { text } from '../../schema/schema.ts';
import { type ChangeSelection, readChange } from '../compose/index.ts';
import { CHARACTERS_PER_TOKEN, loadMeasure, type MeasureName } from '../fit/index.ts';
import { composePrompt, type PromptFrame, type PromptRequest } from '../prompt.ts';
import { TemplateError } from '../render/index.ts';
import { ROLE, type Role, roleInstructions } from '../roles/index.ts';
import { TEMPLATE_OVERHEAD_CHARACTERS } from './prompt-limits.ts';
import type { ExtraContext, Prompt, SourcePart } from './prompt-parts.ts';
import { type PromptTemplates, SHIPPED_ONLY } from './prompt-templates.ts';
import { outputRequirements, renderPromptWith, templateForRole } from './render-prompt.ts';
import { cleanDiff } from './role-change.ts';

/** Mistakes of the caller. After any other error of a shipped template, the prompt is built without it. */
const WRONG_NAME: ReadonlySet<string> = new Set(['template-unknown', 'template-without-task']);

/** Options of `createContextPacker`. */
export interface ContextPackerOptions {
  /** A folder, with git or without. */
  readonly repo: string;
  /** These win over environment variables and defaults. */
  readonly settings?: Partial<Settings>;
  /** Exact tokens, or an estimate of four characters for each. */
  readonly measure?: MeasureName;
  /** Secrets are replaced, unless this is false. */
  readonly redact?: boolean;
  /** The command for the setting `packer: repomix`. By default `npx` fetches a pinned version. */
  readonly repomixCommand?: readonly string[];
  /** The folder of the user's guidelines; the user's config directory if absent. */
  readonly userDirectory?: string;
  /** The repository whose guidelines hold; `repo` if absent. */
  readonly guidelinesFrom?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
  /** Templates of the user and the repository, from `openTemplates`. Only shipped templates if absent. */
  readonly templates?: PromptTemplates;
  /** An index that the caller keeps open. Without it, each prompt scans the repository. */
  readonly session?: IndexSession;
}

/** Further options of one prompt. */
export interface PromptOptions {
  /** The change to show and to take `$CHANGED_FILES` from. The default is the staged change, if the role asks for one. */
  readonly change?: ChangeSelection;
  /** The domain of the task: a name from the setting `domains`, or a package of the repository. */
  readonly domain?: string;
  /** Keys of `extra` that may be shortened but never left out, such as the output of a failed gate. */
  readonly keep?: readonly string[];
}

/** Builds prompts for roles from the current files of a repository. Only the index is kept between calls. */
export interface ContextPacker {
  /** A prompt with a template: the files of the role inside its budget. */
  buildFullPrompt(
    template: string,
    role: Role,
    task: string,
    targets?: readonly string[],
    extra?: ExtraContext,
    options?: PromptOptions,
  ): Promise<Prompt>;
  /** The files alone, with room left for what a template adds. */
  packFileContext(
    role: Role,
    targets?: readonly string[],
    extra?: ExtraContext,
    task?: string,
    options?: PromptOptions,
  ): Promise<Prompt>;
  /** Role, task and files, without a template and without a section about the answer. */
  packContext(
    role: Role,
    task: string,
    targets?: readonly string[],
    extra?: ExtraContext,
    options?: PromptOptions,
  ): Promise<Prompt>;
  /** A prompt for a worker: with the template of the role's base, if there is one. It always says how to answer. */
  buildPrompt(
    role: Role,
    task: string,
    targets?: readonly string[],
    extra?: ExtraContext,
    options?: PromptOptions,
  ): Promise<Prompt>;
  /** The staged or unstaged change as git shows it, for `extra`. Secrets are replaced. */
  getGitDiff(options?: GitDiffOptions): Promise<string>;
}

/** Which change `getGitDiff` shows. */
export interface GitDiffOptions {
  /** The staged change (the default), or with false the unstaged one. */
  readonly staged?: boolean;
  /** Everything on disk that differs from the point where the work left this commit, branch or tag. */
  readonly base?: string;
}

/** The arguments of one call. */
interface Asked {
  readonly role: Role;
  readonly task: string;
  readonly targets: readonly string[];
  readonly extra: ExtraContext;
  readonly options: PromptOptions;
}

const PACKER_KINDS: ArgumentKinds<ContextPackerOptions> = {
  repo: required(TEXT),
  settings: RECORD,
  measure: oneOf(['tokens', 'estimate']),
  redact: FLAG,
  repomixCommand: TEXTS,
  userDirectory: TEXT,
  guidelinesFrom: TEXT,
  signal: SIGNAL,
  onProgress: FUNCTION,
  templates: objectWith('the result of openTemplates', { render: FUNCTION, diagnostics: FUNCTION }),
  session: RECORD,
};
const PROMPT_KINDS: ArgumentKinds<Asked> = {
  role: required(ROLE),
  task: required(TEXT),
  targets: TEXTS,
  extra: mapWith('texts by name', TEXT),
  options: objectWith(
    'an object with change, such as { base: "main" }, domain, a text, and keep, a list of texts',
    {
      change: ifGiven(objectWith('{ base }', { base: TEXT })),
      domain: ifGiven(TEXT),
      keep: ifGiven(TEXTS),
    },
  ),
};
const DIFF_KINDS: ArgumentKinds<GitDiffOptions> = {
  staged: FLAG,
  base: text('the name of a commit, branch or tag'),
};

/**
 * Makes a packer for one repository.
 *
 * @example
 * const packer = createContextPacker({ repo: '.' });
 * const { text } = await packer.buildFullPrompt('implement', role, 'Add user authentication', ['src/auth.ts'], {
 *   test_output: failures,
 * });
 */
export function createContextPacker(options: ContextPackerOptions): ContextPacker {
  checkArguments('createContextPacker', options, PACKER_KINDS);
  const {
    redact = true,
    signal,
    repomixCommand,
    userDirectory,
    guidelinesFrom,
    templates = SHIPPED_ONLY,
  } = options;
  const settings = librarySettings(options.settings);
  const root = openSafeRoot(options.repo);
  const budgetOf = (role: Role) => role.context.tokenBudget ?? settings.tokenBudget;

  /** Completes the request and builds the prompt, with the caller's index or a new scan. */
  const build = async (asked: Asked, frame: PromptFrame): Promise<Prompt> => {
    const { role, task, extra, options: more } = asked;
    const request: PromptRequest = {
      ...{ role, task, extra, settings, redact, frame, tokenBudget: budgetOf(role) },
      targets: [...new Set(asked.targets.map((path) => root.contain(path)))],
      keep: more.keep ?? [],
      measuring: loadMeasure(options.measure),
      ...(userDirectory ? { userDirectory } : {}),
      ...(guidelinesFrom ? { guidelinesFrom } : {}),
      ...(more.change ? { change: more.change } : {}),
      ...(more.domain === undefined ? {} : { domain: more.domain }),
      ...(signal ? { signal } : {}),
      ...(repomixCommand ? { repomixCommand } : {}),
    };
    const compose = (scan: OpenScan) => composePrompt(request, scan);
    if (options.session) return options.session.use(compose);
    const scanning = { ...options, repo: root.path, settings, mode: settings.scanMode };
    return useIndex({ ...scanning, isAwaited: true }, compose);
  };

  const packFileContext: ContextPacker['packFileContext'] = async (
    role,
    targets = [],
    extra = {},
    task = '',
    more = {},
  ) => {
    const overhead = TEMPLATE_OVERHEAD_CHARACTERS / CHARACTERS_PER_TOKEN;
    const tokens = Math.max(0, budgetOf(role) - overhead);
    return build({ role, task, targets, extra, options: more }, { template: null, tokens });
  };

  const packWhole = async (asked: Asked, ending: string): Promise<Prompt> => {
    const leading = [
      textPart({ key: 'system_prompt', text: safeDocument(roleInstructions(asked.role)) }),
      textPart({ key: 'task', text: `## Task\n\n${asked.task}` }),
    ];
    const render = (context: string) => context + ending;
    const around = ending === '' ? {} : { render, rendered: { key: 'output_requirements', isBehind: true } };
    return build(asked, { template: null, leading, tokens: budgetOf(asked.role), ...around });
  };

  const packContext: ContextPacker['packContext'] = async (role, task, targets = [], extra = {}, more = {}) =>
    packWhole({ role, task, targets, extra, options: more }, '');

  const packAnswered: ContextPacker['packContext'] = async (
    role,
    task,
    targets = [],
    extra = {},
    more = {},
  ) => {
    const ending = `\n\n---\n\n${outputRequirements(role)}`;
    return packWhole({ role, task, targets, extra, options: more }, ending);
  };

  const buildFullPrompt: ContextPacker['buildFullPrompt'] = async (
    template,
    role,
    task,
    targets = [],
    extra = {},
    more = {},
  ) => {
    const render = (context: string) => renderPromptWith(templates, template, role, task, context);
    try {
      // Check the name of the template before any file is read.
      render('');
      const frame = { template, render, tokens: budgetOf(role) };
      const prompt = await build({ role, task, targets, extra, options: more }, frame);
      return { ...prompt, diagnostics: [...templates.diagnostics(template), ...prompt.diagnostics] };
    } catch (error) {
      if (!(error instanceof TemplateError) || WRONG_NAME.has(error.code)) throw error;
      // The author of a template wants to see its error, not a prompt without the template.
      if (templates.isOwn(template)) throw error;
      const prompt = await packAnswered(role, task, targets, extra, more);
      return { ...prompt, diagnostics: [...prompt.diagnostics, templateFailed(error)] };
    }
  };

  const check = (of: string, given: object) => checkArguments(of, given, PROMPT_KINDS);
  return {
    buildFullPrompt: async (template, role, task, targets, extra, options) => {
      checkArguments('buildFullPrompt', { template }, { template: required(TEXT) });
      check('buildFullPrompt', { role, task, targets, extra, options });
      return buildFullPrompt(template, role, task, targets, extra, options);
    },
    packFileContext: async (role, targets, extra, task = '', options) => {
      check('packFileContext', { role, task, targets, extra, options });
      return packFileContext(role, targets, extra, task, options);
    },
    packContext: async (role, task, targets, extra, options) => {
      check('packContext', { role, task, targets, extra, options });
      return packContext(role, task, targets, extra, options);
    },
    buildPrompt: async (role, task, targets, extra, options) => {
      check('buildPrompt', { role, task, targets, extra, options });
      const template = templateForRole(role);
      if (template === null) return packAnswered(role, task, targets, extra, options);
      return buildFullPrompt(template, role, task, targets, extra, options);
    },
    getGitDiff: async (asked = {}) => {
      checkArguments('getGitDiff', asked, DIFF_KINDS);
      const { staged = true, base } = asked;
      const opening = await openGit(root.path);
      const git = opening.kind === 'git' ? opening.client : null;
      const selection =
        base !== undefined ? { base } : staged ? { base: 'HEAD', staged } : { base: 'HEAD', unstaged: true };
      const change = await readChange(git, root.path, selection);
      return cleanDiff(change, () => true, redact).text;
    },
  };
}

/** A part that cannot shrink. */
const textPart = ({ key, text }: { readonly key: string; readonly text: string }): SourcePart => {
  return { key, whole: { text, files: [] }, shrink: () => null };
};

function templateFailed({ message }: LoadoutError): Diagnostic {
  const said = `the template could not be rendered (${message}); the prompt is built without it`;
  return { code: 'template-failed', severity: 'warning', message: said };
}

import type { Settings } from '../config/settings.ts';
import type { Measure } from '../fit/measure.ts';
import { librarySettings } from '../library-settings.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LoadoutError } from '../model/loadout-error.ts';
import { openSafeRoot } from '../platform/safe-root.ts';
import { TemplateError } from '../render/templates/template-error.ts';
import type { Role } from '../roles/role.ts';
import {
  type OpenScan,
  type ScanRequest,
  type ScanStep,
  withIndex,
  withIndexEarly,
} from '../scan/run-scan.ts';
import type { CountMemory } from './count-memory.ts';
import type { ExtraContext } from './extra-parts.ts';
import { type FittedPrompt, fitPrompt } from './fit-prompt.ts';
import { fitFileContext, fitTemplate, type Made } from './fit-template.ts';
import { type GatheredParts, gatherParts } from './gather-parts.ts';
import type { Prompt } from './prompt.ts';
import { CHARACTERS_PER_TOKEN, TEMPLATE_OVERHEAD_CHARACTERS } from './prompt-limits.ts';
import { loadMeasure, type MeasureName, tokensOf, unitsPerToken } from './prompt-measure.ts';
import { promptPackageId } from './prompt-package-id.ts';
import { renderPrompt } from './render-prompt.ts';
import { templateForRole } from './template-for-role.ts';

export interface ContextPackerOptions {
  /** A folder; a git work tree or not. */
  readonly repo: string;
  /** On top of the environment's variables and the defaults. */
  readonly settings?: Partial<Settings>;
  /** Tokens as models count them, or four characters for each. */
  readonly measure?: MeasureName;
  /** Takes secrets out of what is shown, unless this is false. */
  readonly redact?: boolean;
  /** In place of a pinned version that `npx` fetches, for the setting `packer: repomix`. */
  readonly repomixCommand?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
  /** For whoever has the index open; without it the files are looked at for each prompt. */
  readonly withScan?: WithScan;
  /** For whoever builds many prompts. */
  readonly counts?: CountMemory;
}

/** Hands over an index of the files as they are. */
export type WithScan = <Answer>(
  request: ScanRequest,
  use: (scan: OpenScan) => Promise<Answer>,
) => Promise<Answer>;

/** Builds prompts for roles from what the repository holds now. Nothing is kept between calls but the index. */
export interface ContextPacker {
  /** For a role of a known base: its files inside its budget, rendered with a template. */
  buildFullPrompt(
    template: string,
    role: Role,
    task: string,
    targets?: readonly string[],
    extra?: ExtraContext,
  ): Promise<Prompt>;
  /** The files alone, with room left for what a template adds. */
  packFileContext(
    role: Role,
    targets?: readonly string[],
    extra?: ExtraContext,
    task?: string,
  ): Promise<Prompt>;
  /** A whole prompt without a template, for a role of no known base. */
  packContext(role: Role, task: string, targets?: readonly string[], extra?: ExtraContext): Promise<Prompt>;
  /** Whichever of the two the role needs. */
  buildPrompt(role: Role, task: string, targets?: readonly string[], extra?: ExtraContext): Promise<Prompt>;
}

/**
 * @example
 * const packer = createContextPacker({ repo: '.' });
 * const { text } = await packer.buildFullPrompt('implement', role, 'Add user authentication', ['src/auth.ts'], {
 *   test_output: failures,
 * });
 */
export function createContextPacker(options: ContextPackerOptions): ContextPacker {
  const { redact = true, signal, repomixCommand } = options;
  const settings = librarySettings(options.settings);
  const root = openSafeRoot(options.repo);
  const budgetOf = (role: Role) => role.context.tokenBudget ?? settings.tokenBudget;

  const withParts = async (
    role: Role,
    task: string,
    targets: readonly string[],
    extra: ExtraContext,
    use: (gathered: GatheredParts, measure: Measure) => Omit<Prompt, 'role' | 'tokenBudget' | 'patterns'>,
  ): Promise<Prompt> => {
    const tokenBudget = budgetOf(role);
    const contained = [...new Set(targets.map((path) => root.contain(path)))];
    const measuring = loadMeasure(options.measure, options.counts);
    const request = { role, task, targets: contained, extra, settings, tokenBudget, redact };
    const more = { ...(signal ? { signal } : {}), ...(repomixCommand ? { repomixCommand } : {}) };
    const scanning = { ...options, repo: root.path, settings, mode: settings.scanMode };
    const open = options.withScan ?? (repomixCommand ? withIndex : withIndexEarly);
    return open(scanning, async (scan) => {
      const gathered = await gatherParts(scan, { ...request, ...more });
      const made = use(gathered, await measuring);
      const diagnostics = [...gathered.diagnostics, ...made.diagnostics];
      return { ...made, diagnostics, role: role.name, tokenBudget, patterns: gathered.patterns };
    });
  };

  const packFileContext: ContextPacker['packFileContext'] = (role, targets = [], extra = {}, task = '') =>
    withParts(role, task, targets, extra, (gathered, measure) => {
      const overhead = TEMPLATE_OVERHEAD_CHARACTERS / CHARACTERS_PER_TOKEN;
      const limit = Math.max(0, budgetOf(role) - overhead) * unitsPerToken(measure);
      const fitted = fitFileContext(gathered, role, limit, measure);
      return withoutTemplate(fitted, measure);
    });

  const packContext: ContextPacker['packContext'] = (role, task, targets = [], extra = {}) =>
    withParts(role, task, targets, extra, (gathered, measure) => {
      const leading = [
        { key: 'system_prompt', text: role.systemPrompt.trim() },
        { key: 'task', text: `## Task\n\n${task}` },
      ];
      const limit = budgetOf(role) * unitsPerToken(measure);
      const fitted = fitPrompt(leading, gathered, role.context.priorityOrder, limit, measure);
      return withoutTemplate(fitted, measure);
    });

  const buildFullPrompt: ContextPacker['buildFullPrompt'] = async (
    template,
    role,
    task,
    targets = [],
    extra = {},
  ) => {
    try {
      // before anything is read: the name may be wrong, and what stands around the files takes room
      const frame = renderPrompt(template, role, task, '');
      return await withParts(role, task, targets, extra, (gathered, measure) => {
        const render = (context: string) => renderPrompt(template, role, task, context);
        return { ...fitTemplate(gathered, role, frame, render, budgetOf(role), measure), template };
      });
    } catch (error) {
      if (!(error instanceof TemplateError) || error.code === 'template-unknown') throw error;
      const prompt = await packContext(role, task, targets, extra);
      return { ...prompt, diagnostics: [...prompt.diagnostics, templateFailed(error)] };
    }
  };

  return {
    buildFullPrompt,
    packFileContext,
    packContext,
    buildPrompt: (role, task, targets, extra) => {
      const template = templateForRole(role);
      if (template === null) return packContext(role, task, targets, extra);
      return buildFullPrompt(template, role, task, targets, extra);
    },
  };
}

function withoutTemplate({ text, packed, parts }: FittedPrompt, measure: Measure): Made & { template: null } {
  const packageId = promptPackageId(packed);
  return { text, packageId, parts, tokenCount: tokensOf(text, measure), template: null, diagnostics: [] };
}

function templateFailed({ message }: LoadoutError): Diagnostic {
  const said = `the template could not be rendered (${message}); the prompt is built without it`;
  return { code: 'template-failed', severity: 'warning', message: said };
}

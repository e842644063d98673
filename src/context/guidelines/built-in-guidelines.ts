import type { Guideline } from './guideline-schema.ts';

/** A condition that always holds. */
const ANYTHING = { agents: [], actions: [], domains: [], paths: [], events: [] };

/** The guidelines that apply without any files. `loadout guardrails bootstrap` writes them as files to edit. */
export const BUILT_IN_GUIDELINES: readonly Guideline[] = [
  {
    id: 'context-package-enforcement',
    name: 'Context Package Enforcement',
    description:
      'Warns when agents perform ad-hoc searches (search_code) outside of context package assembly. Agents should receive pre-assembled context packages.',
    enabled: true,
    category: 'context_constraint',
    priority: 750,
    condition: {
      ...ANYTHING,
      // Every subagent: the action of a task is known only if a package was built for it.
      agents: ['*'],
      actions: ['implement', 'code', 'fix', 'refactor', 'test'],
    },
    action: {
      type: 'instruction',
      instruction:
        'You should work within the context package provided at task start. Avoid ad-hoc search_code calls for implementation context; expand shows more of what the package names. If the context package is insufficient, report the gap with report_gap (or loadout gap) rather than searching globally.',
    },
  },
  {
    id: 'no-private-keys',
    name: 'No Private Keys',
    description: 'Keeps files that hold only secrets out of packages.',
    enabled: true,
    category: 'security',
    priority: 900,
    condition: ANYTHING,
    action: {
      type: 'path_restriction',
      allow: [],
      deny: ['.env', '.env.local', '*.pem', '*.key', '*.p12', '*.pfx', '*.keystore', 'id_rsa', 'id_ed25519'],
      instruction: '',
    },
  },
  {
    id: 'review-changes-nothing',
    name: 'Review Changes Nothing',
    description: 'A reviewer reports problems and changes no files.',
    enabled: true,
    category: 'tool_use',
    priority: 600,
    condition: { ...ANYTHING, agents: ['reviewer', 'reviewer-*', 'code-reviewer', '*-reviewer'] },
    action: {
      type: 'tool_restriction',
      tools: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'],
      instruction: 'You are a reviewer: report each problem with its file and line, and change no files.',
    },
  },
  {
    id: 'mapper-is-read-only',
    name: 'Repo Mapper Is Read-Only',
    description: 'The repo mapper scans and reports; it never writes, edits or runs commands.',
    enabled: true,
    category: 'tool_use',
    priority: 650,
    condition: { ...ANYTHING, agents: ['repo-mapper'] },
    action: {
      type: 'tool_restriction',
      tools: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Bash'],
      instruction: 'You map the repository: read and report. Use Read, Glob, Grep and the loadout tools.',
    },
  },
];

/** The result of `loadout guardrails bootstrap` for one guideline. */
export interface BootstrapStep {
  readonly id: string;
  /** Name of the file in the folder of guidelines. */
  readonly file: string;
  /** `current`: the file has this text already. `kept`: the user has changed the file, so it stays. */
  readonly state: 'write' | 'current' | 'kept';
  /** The whole text of the file. */
  readonly text: string;
}

/** Plans a bootstrap. `textOf` reads an existing file, or returns null. Files that were edited are never touched. */
export function planBootstrap(textOf: (file: string) => string | null): readonly BootstrapStep[] {
  return BUILT_IN_GUIDELINES.map((guideline) => {
    const file = `${guideline.id}.json`;
    const text = guidelineText(guideline);
    const present = textOf(file);
    const state = present === null ? 'write' : present === text ? 'current' : 'kept';
    return { id: guideline.id, file, state, text };
  });
}

/** The JSON of a guideline as a person would write it, without empty lists and texts. */
export function guidelineText(guideline: Guideline): string {
  const isSaid = (value: unknown) => !(Array.isArray(value) && value.length === 0) && value !== '';
  const said = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => isSaid(value)));
  const { condition, action } = guideline;
  const shown = { ...guideline, condition: said(condition), action: said(action) };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

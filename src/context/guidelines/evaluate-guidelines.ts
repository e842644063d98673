import { safeLine } from '../../redact/index.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { matchesWildcard } from '../../schema/text-values.ts';
import { byPriority, type LoadedGuideline } from './guideline-places.ts';

// Decides which guidelines apply to an agent and its task, and what follows from them: the text for the agent and the
// tools that it may not use. Files are filtered in `guard-files.ts`.

/** The known facts about an agent and its task. Unknown ones are null or empty. */
export interface Situation {
  /** Role or kind: `backend`, or `plugin:backend`. */
  readonly agent: string | null;
  /** The action of the task, such as `fix`. */
  readonly action: string | null;
  /** Domains of the task. */
  readonly domains: readonly string[];
  /** Files that the task is about, relative to the root. */
  readonly paths: readonly string[];
  /** The hook event, such as `pre-tool-use`. */
  readonly event: string | null;
}

/** Nothing is known: only guidelines without a condition apply. */
export const NO_SITUATION: Situation = { agent: null, action: null, domains: [], paths: [], event: null };

/** A guideline with the decision whether it applies. */
export interface Judgement extends LoadedGuideline {
  readonly applies: boolean;
  /** The reasons in words, for `loadout guardrails`. */
  readonly why: readonly string[];
}

/** Judges every guideline. The highest priority comes first. */
export function evaluateGuidelines(
  guidelines: readonly LoadedGuideline[],
  situation: Situation,
): readonly Judgement[] {
  return [...guidelines].sort(byPriority).map((loaded) => judge(loaded, situation));
}

/** The guidelines that apply, in the same order. */
export const applicable = (judgements: readonly Judgement[]): readonly Judgement[] =>
  judgements.filter(({ applies }) => applies);

/** The result of one condition. */
interface Answer {
  readonly holds: boolean;
  readonly why: string;
}

/** A guideline applies when it is enabled and all conditions that it sets hold. */
function judge(loaded: LoadedGuideline, situation: Situation): Judgement {
  const { enabled, condition } = loaded.guideline;
  if (!enabled) return { ...loaded, applies: false, why: ['it is not enabled'] };
  const answers = [
    compare('agent', condition.agents, agentNames(situation.agent)),
    compare('action', condition.actions, situation.action === null ? [] : [situation.action]),
    compare('domain', condition.domains, situation.domains),
    compare('event', condition.events, situation.event === null ? [] : [situation.event]),
    comparePaths(condition.paths, situation.paths),
  ].filter((answer) => answer !== null);
  const refusals = answers.filter(({ holds }) => !holds);
  const decisive = refusals.length > 0 ? refusals : answers;
  const why = decisive.length > 0 ? decisive.map((answer) => answer.why) : ['it has no condition'];
  return { ...loaded, applies: refusals.length === 0, why };
}

/** The agent of a plugin is called `plugin:agent`. A guideline for `agent` applies to it as well. */
function agentNames(agent: string | null): readonly string[] {
  if (agent === null || agent === '') return [];
  const [own] = agent.split(':').slice(-1);
  return own === undefined || own === agent ? [agent] : [agent, own];
}

/** Null when the guideline sets no such condition. An unknown value never meets a condition. */
function compare(what: string, wanted: readonly string[], given: readonly string[]): Answer | null {
  if (wanted.length === 0) return null;
  const list = wanted.join(', ');
  if (given.length === 0) return { holds: false, why: `the ${what} is unknown; it is for ${list}` };
  for (const name of given)
    for (const pattern of wanted)
      if (matchesWildcard(pattern.toLowerCase(), name.toLowerCase()))
        return { holds: true, why: `the ${what} ${name} is one of ${list}` };
  return { holds: false, why: `the ${what} ${given[0]} is not one of ${list}` };
}

/** One matching file is enough. */
function comparePaths(patterns: readonly string[], paths: readonly string[]): Answer | null {
  if (patterns.length === 0) return null;
  const list = patterns.join(', ');
  if (paths.length === 0) return { holds: false, why: `no files are named; it is for ${list}` };
  const filter = createPathFilter(patterns, []);
  const found = paths.find((path) => filter.accepts(path));
  return found === undefined
    ? { holds: false, why: `${paths[0]} does not match ${list}` }
    : { holds: true, why: `${found} matches ${list}` };
}

/**
 * The instructions for an agent as Markdown, highest priority first; empty when there are none. Instructions of the
 * repository are marked, because the user did not write them.
 */
export function renderGuidelines(judgements: readonly Judgement[]): string {
  const lines = applicable(judgements).flatMap(({ guideline, place }) => {
    const { action, name } = guideline;
    const text = action.instruction.trim().replace(/\s+/g, ' ');
    if (text === '') return [];
    const from = place === 'repository' ? ' (asked by the repository)' : '';
    return [`- ${safeLine(name.replace(/\s+/g, ' '))}${from}: ${safeLine(text)}`];
  });
  return lines.length === 0 ? '' : `## Guardrails\n${lines.join('\n')}\n`;
}

/** Why a tool may not be used. */
export interface ToolDenial {
  /** Id of the guideline. */
  readonly id: string;
  readonly reason: string;
}

/** The first guideline that forbids a tool; null when it may be used. Only the user's guidelines forbid tools. */
export function toolDenial(judgements: readonly Judgement[], tool: string): ToolDenial | null {
  for (const { guideline, place } of applicable(judgements)) {
    const { action } = guideline;
    if (place !== 'user' || action.type !== 'tool_restriction') continue;
    if (!action.tools.some((pattern) => matchesWildcard(pattern.toLowerCase(), tool.toLowerCase()))) continue;
    return { id: guideline.id, reason: `${guideline.name}: ${action.instruction}` };
  }
  return null;
}

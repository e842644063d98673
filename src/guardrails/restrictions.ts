import { createPathFilter } from '../discover/path-filter.ts';
import { matchesWildcard } from '../session/policy/matches-wildcard.ts';
import { applicable, type Judgement } from './evaluate-guidelines.ts';

/** Which files may be in a package, or null when nothing is restricted. Every restriction must let a file through. */
export function pathRestriction(judgements: readonly Judgement[]): ((path: string) => boolean) | null {
  const filters = applicable(judgements).flatMap(({ guideline: { action } }) => {
    return action.type === 'path_restriction' ? [createPathFilter(action.allow, action.deny)] : [];
  });
  return filters.length === 0 ? null : (path) => filters.every((filter) => filter.accepts(path));
}

export interface ToolDenial {
  readonly id: string;
  readonly reason: string;
}

/** Why this tool may not be used. Only the user's own guidelines forbid; those of others are advice. */
export function toolDenial(judgements: readonly Judgement[], tool: string): ToolDenial | null {
  for (const { guideline, place } of applicable(judgements)) {
    const { action } = guideline;
    if (place !== 'user' || action.type !== 'tool_restriction') continue;
    if (!action.tools.some((pattern) => matchesWildcard(pattern.toLowerCase(), tool.toLowerCase()))) continue;
    return { id: guideline.id, reason: `${guideline.name}: ${action.instruction}` };
  }
  return null;
}

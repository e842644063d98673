import { matchesWildcard } from '../../schema/text-values.ts';
import { applicable, type Judgement } from './evaluate-guidelines.ts';

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

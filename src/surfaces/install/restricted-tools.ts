import type { LoadedGuideline } from '../../context/guidelines/guideline-places.ts';
import type { Client, Scope } from './set-up-target.ts';

/** Tools that the user's own guidelines refuse, as they are written there. Others only advise. */
export function restrictedTools(guidelines: readonly LoadedGuideline[]): readonly string[] {
  const tools = guidelines.flatMap(({ place, guideline: { enabled, action, condition } }) => {
    const isAsked = condition.events.length === 0 || condition.events.includes('pre-tool-use');
    return place === 'user' && enabled && isAsked && action.type === 'tool_restriction' ? action.tools : [];
  });
  return [...new Set(tools)].sort();
}

/** Guidelines do not care about capitals; a client does when it looks whether to ask. */
const SPELLINGS = [
  ...['Agent', 'Bash', 'BashOutput', 'Edit', 'Glob', 'Grep', 'KillShell', 'MultiEdit', 'NotebookEdit'],
  ...['Read', 'Skill', 'SlashCommand', 'Task', 'TodoWrite', 'WebFetch', 'WebSearch', 'Write'],
];

/** The pattern by which a client asks before it uses one of these tools. */
export function toolMatcher(own: readonly string[], tools: readonly string[]): string {
  const names = [...new Set([...own, ...tools.flatMap(spellings)])];
  if (names.some((name) => /^\*+$/.test(name))) return '.*';
  // names alone are compared as they are; anything else makes the whole an expression that fits parts of names
  return names.every((name) => /^\w+$/.test(name))
    ? names.join('|')
    : `^(?:${names.map(expression).join('|')})$`;
}

function spellings(tool: string): readonly string[] {
  const low = tool.toLowerCase();
  const known = SPELLINGS.filter((name) => name.toLowerCase() === low);
  return [...(known.length > 0 ? known : [tool]), low];
}

function expression(name: string): string {
  return name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
}

/** Whether a set-up can hold them: in a repository only Claude Code has a file that is its user's alone. */
export function refusesIn(client: Client, scope: Scope): boolean {
  return client !== 'cursor' && (scope === 'user' || client === 'claude');
}

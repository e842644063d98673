import { expect, it } from 'vitest';
import type { LoadedGuideline } from '../../context/guidelines/guideline-places.ts';
import { restrictedTools } from './plan-set-up.ts';

function restricting(place: LoadedGuideline['place'], tools: string[], more = {}, events: string[] = []) {
  const condition = { agents: [], actions: [], domains: [], paths: [], events };
  const action = { type: 'tool_restriction' as const, tools, instruction: 'no' };
  const guideline = {
    ...{ id: 'x', name: 'x', description: '', enabled: true, category: 'x', priority: 1, condition, action },
    ...more,
  };
  return { guideline, place, file: 'x' };
}

it("takes the user's own, as far as they are on and asked before a tool is used", () => {
  expect(
    restrictedTools([
      restricting('user', ['Write', 'Bash']),
      restricting('user', ['Bash', 'Edit'], {}, ['pre-tool-use']),
      restricting('user', ['Off'], { enabled: false }),
      restricting('user', ['Elsewhere'], {}, ['subagent-start']),
      restricting('repository', ['Repository']),
      restricting('built-in', ['BuiltIn']),
    ]),
  ).toEqual(['Bash', 'Edit', 'Write']);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applicable,
  evaluateGuidelines,
  NO_SITUATION,
  renderGuidelines,
  type Situation,
  toolDenial,
} from './evaluate-guidelines.ts';
import type { GuidelinePlace, LoadedGuideline } from './guideline-places.ts';
import type { Condition, Guideline, GuidelineAction } from './guideline-schema.ts';

const ANYTHING: Condition = { agents: [], actions: [], domains: [], paths: [], events: [] };

function loaded(
  id: string,
  changes: Partial<Guideline> = {},
  place: GuidelinePlace = 'user',
): LoadedGuideline {
  const action: GuidelineAction = { type: 'instruction', instruction: `Do ${id}.` };
  const guideline: Guideline = {
    ...{ id, name: id, description: '', enabled: true, category: 'x', priority: 500 },
    condition: ANYTHING,
    action,
    ...changes,
  };
  return { guideline, place, file: id };
}

const ids = (list: readonly LoadedGuideline[]) => list.map(({ guideline }) => guideline.id);
const applying = (list: readonly LoadedGuideline[], situation: Partial<Situation>) =>
  ids(applicable(evaluateGuidelines(list, { ...NO_SITUATION, ...situation })));

describe('which guidelines apply', () => {
  it('the highest priority comes first, equal ones by id', () => {
    const list = [
      loaded('b'),
      loaded('a'),
      loaded('low', { priority: 1 }),
      loaded('high', { priority: 999 }),
    ];
    expect(applying(list, {})).toEqual(['high', 'a', 'b', 'low']);
  });

  it('every condition that is given must hold, and says why', () => {
    const list = [
      loaded('rule', {
        condition: {
          agents: ['backend'],
          actions: ['fix'],
          domains: ['billing'],
          paths: ['src/**'],
          events: [],
        },
      }),
    ];
    const good = { agent: 'backend', action: 'fix', domains: ['billing'], paths: ['src/a.ts'] };
    expect(applying(list, good)).toEqual(['rule']);
    for (const change of [
      { agent: 'frontend' },
      { agent: null },
      { action: 'review' },
      { domains: [] },
      { paths: ['docs/a.md'] },
      { paths: [] },
    ])
      expect(applying(list, { ...good, ...change })).toEqual([]);
    const [judgement] = evaluateGuidelines(list, { ...NO_SITUATION, ...good, paths: ['docs/a.md'] });
    expect(judgement!.why).toEqual(['docs/a.md does not match src/**']);
  });

  it('names match with wildcards, ignoring case, and the agent of a plugin also by its short name', () => {
    const rule = (agents: string[]) => [loaded('rule', { condition: { ...ANYTHING, agents } })];
    expect(applying(rule(['*-reviewer']), { agent: 'api-reviewer' })).toEqual(['rule']);
    expect(applying(rule(['Backend']), { agent: 'backend' })).toEqual(['rule']);
    expect(applying(rule(['backend']), { agent: 'team:backend' })).toEqual(['rule']);
    expect(applying(rule(['backend']), { agent: 'backend-2' })).toEqual([]);
  });

  it('a guideline that is not enabled never applies', () => {
    expect(applying([loaded('off', { enabled: false })], {})).toEqual([]);
  });

  it('another condition never makes a guideline apply', () => {
    const names = fc.subarray(['a', 'b', 'c']);
    const condition = fc.record({ agents: names, actions: names, domains: names, events: names });
    fc.assert(
      fc.property(condition, condition, fc.constantFrom('a', 'b', null), (some, more, known) => {
        const situation = { agent: known, action: known, domains: known ? [known] : [], event: known };
        const wide = { ...ANYTHING, ...some };
        const keep = (one: readonly string[], other: readonly string[]) => (one.length > 0 ? one : other);
        const narrow = {
          ...ANYTHING,
          agents: keep(some.agents, more.agents),
          actions: keep(some.actions, more.actions),
          domains: keep(some.domains, more.domains),
          events: keep(some.events, more.events),
        };
        const isWide = applying([loaded('x', { condition: wide })], situation).length;
        expect(applying([loaded('x', { condition: narrow })], situation).length).toBeLessThanOrEqual(isWide);
      }),
    );
  });
});

describe('effects of guidelines', () => {
  const judge = (...list: LoadedGuideline[]) => evaluateGuidelines(list, NO_SITUATION);

  it('only a guideline of the user forbids a tool', () => {
    const rule: Partial<Guideline> = {
      action: { type: 'tool_restriction', tools: ['Bash', 'mcp__db__*'], instruction: 'Ask first.' },
    };
    expect(toolDenial(judge(loaded('r', rule, 'user')), 'mcp__db__drop')?.reason).toBe('r: Ask first.');
    expect(toolDenial(judge(loaded('r', rule, 'user')), 'Read')).toBeNull();
    for (const place of ['repository', 'built-in'] as const)
      expect(toolDenial(judge(loaded('r', rule, place)), 'Bash')).toBeNull();
  });

  it('each instruction is one line and names its source', () => {
    const instruction = 'First line.\n## Not a heading\n- nor a list';
    const text = renderGuidelines(
      judge(loaded('own'), loaded('theirs', { action: { type: 'instruction', instruction } }, 'repository')),
    );
    expect(text.split('\n')).toEqual([
      '## Guardrails',
      '- own: Do own.',
      '- theirs (asked by the repository): First line. ## Not a heading - nor a list',
      '',
    ]);
  });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BUILT_IN_GUIDELINES,
  guidelineText,
  planBootstrap,
} from '../../src/context/guidelines/built-in-guidelines.ts';
import { evaluateGuidelines, NO_SITUATION } from '../../src/context/guidelines/evaluate-guidelines.ts';
import { loadGuidelines } from '../../src/context/guidelines/guideline-places.ts';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { TOOLS } from '../../src/surfaces/mcp/tool-list.ts';
import { contextOf, hookPlace } from '../support/hook-kit.ts';

/** The guideline as it was asked for. */
const REQUIRED = {
  id: 'context-package-enforcement',
  name: 'Context Package Enforcement',
  description:
    'Warns when agents perform ad-hoc ks_search outside of context package assembly. Agents should receive pre-assembled context packages.',
  enabled: true,
  category: 'context_constraint',
  priority: 750,
  condition: {
    agents: ['backend', 'frontend'],
    actions: ['implement', 'code', 'fix', 'refactor', 'test'],
  },
  action: {
    type: 'instruction',
    instruction:
      'You should work within the context package provided at task start. Avoid ad-hoc ks_search calls for implementation context. If the context package is insufficient, report the gap rather than searching globally.',
  },
};

describe('packages and hooks, section 4: Context Constraint Guardrail', () => {
  it('A new guideline added to the bootstrap set that enforces context package discipline', () => {
    const step = planBootstrap(() => null).find(({ id }) => id === REQUIRED.id)!;
    const ours = JSON.parse(step.text);
    // different on purpose: there is no ks_search here, and no agent is called backend or frontend by default
    const { description, condition, action, ...same } = REQUIRED;
    expect(ours).toMatchObject({ ...same, condition: { actions: condition.actions } });
    expect(ours.condition.agents).toEqual(['*']);
    expect(ours.action.type).toBe(action.type);
    const [first] = action.instruction.split('. ');
    expect(ours.action.instruction.startsWith(`${first}. Avoid ad-hoc search_code calls`)).toBe(true);
    expect(ours.description.endsWith(description.split('. ')[1])).toBe(true);
    expect(Object.keys(ours)).toEqual(Object.keys(REQUIRED));
  });

  it('names tools that exist here, and no others', () => {
    const { description, action } = BUILT_IN_GUIDELINES.find(({ id }) => id === REQUIRED.id)!;
    const said = `${description} ${action.instruction}`.match(/\b[a-z]+_[a-z]+\b/g) ?? [];
    const known = TOOLS.map(({ name }) => name);
    expect(said).not.toEqual([]);
    expect(known).toEqual(expect.arrayContaining(said));
  });

  it('"agents", "actions": it applies to agents with such a task, and to no agent whose task is unknown', async () => {
    const place = hookPlace({});
    const { guidelines } = await loadGuidelines({
      repository: openSafeRoot(place.path),
      userDirectory: join(place.home, 'config'),
    });
    const applies = (agent: string | null, action: string | null) =>
      evaluateGuidelines(guidelines, { ...NO_SITUATION, agent, action }).find(
        ({ guideline }) => guideline.id === REQUIRED.id,
      )!.applies;
    for (const agent of [...REQUIRED.condition.agents, 'general-purpose', 'implementer', 'plugin:worker'])
      for (const action of REQUIRED.condition.actions) expect(applies(agent, action)).toBe(true);
    expect(applies('backend', 'review')).toBe(false);
    expect(applies('backend', null)).toBe(false);
    expect(applies(null, 'fix')).toBe(false);
  });

  it('AD-6: Guardrail as advisory, not blocking: a search goes through', async () => {
    const { ask } = hookPlace();
    const tool_name = 'mcp__loadout__search_code';
    expect(
      await ask('pre-tool-use', { agent_type: 'backend', tool_name, tool_input: { query: 'x' } }),
    ).toEqual({});
  });

  it.each(['backend', 'general-purpose'])(
    'warns a subagent of kind %s that was given a package, and none that was not',
    async (kind) => {
      const { ask } = hookPlace();
      const { instruction } = BUILT_IN_GUIDELINES.find(({ id }) => id === REQUIRED.id)!.action;
      const prompt = 'Implement the refresh of the access token in src/auth/token.ts';
      const call = { tool_name: 'Agent', tool_use_id: 't1', tool_input: { prompt, subagent_type: kind } };
      await ask('pre-tool-use', call);
      const told = contextOf(await ask('subagent-start', { agent_type: kind, agent_id: 'a1' }));
      expect(told).toContain(instruction);
      const other = contextOf(await ask('subagent-start', { agent_type: 'other', agent_id: 'a2' }));
      expect(other).not.toContain('search_code');
    },
  );
});

describe('bootstrap', () => {
  it('is idempotent and keeps edited files', () => {
    const disk = new Map<string, string>();
    const run = () =>
      planBootstrap((file) => disk.get(file) ?? null).map(({ file, text, state }) => {
        if (state === 'write') disk.set(file, text);
        return state;
      });
    expect(new Set(run())).toEqual(new Set(['write']));
    expect(new Set(run())).toEqual(new Set(['current']));
    const edited = guidelineText({ ...BUILT_IN_GUIDELINES[0]!, enabled: false });
    disk.set(`${REQUIRED.id}.json`, edited);
    expect(run()).toContain('kept');
    expect(disk.get(`${REQUIRED.id}.json`)).toBe(edited);
  });

  it('files that it writes are read back unchanged', async () => {
    const place = hookPlace({});
    const folder = join(place.path, '.loadout/guidelines');
    mkdirSync(folder, { recursive: true });
    for (const { file, text } of planBootstrap(() => null)) writeFileSync(join(folder, file), text);
    const { guidelines, diagnostics } = await loadGuidelines({
      repository: openSafeRoot(place.path),
      userDirectory: join(place.home, 'config'),
    });
    expect(diagnostics).toEqual([]);
    expect(guidelines.every((one) => one.place === 'repository')).toBe(true);
    const byId = (list: readonly { id: string }[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(guidelines.map(({ guideline }) => guideline))).toEqual(byId([...BUILT_IN_GUIDELINES]));
  });

  it('the built-in set matches the published schema', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../schema/guideline.schema.json', import.meta.url), 'utf8'),
    );
    const known = Object.keys(schema.$defs.guideline.properties);
    for (const guideline of BUILT_IN_GUIDELINES)
      expect(known).toEqual(expect.arrayContaining(Object.keys(guideline)));
  });
});

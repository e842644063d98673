import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problemsOf, type RoleFolders, roleFolders } from '../../src/context/roles/role-folders.test-kit.ts';
import { roleJsonSchema } from '../../src/context/roles/role-reference.ts';

let folders: RoleFolders;
beforeEach(() => {
  folders = roleFolders();
});
afterEach(() => folders.remove());

const BASE = `name: base
description: A base role
cli: claude
system_prompt: Work.
`;

async function problems(name: string, text: string): Promise<string[]> {
  folders.write('repository', `${name}.yaml`, text);
  return problemsOf(folders.loader(), name);
}

describe('core workflow, task 1: acceptance criteria', () => {
  it('Invalid YAML fails with clear error message', async () => {
    expect(await problems('base', 'name: base\ncli: [claude\n')).toEqual([
      expect.stringMatching(/^\.loadout\/roles\/base\.yaml:\d+:\d+: Flow sequence/),
    ]);
    expect(await problems('empty', '')).toEqual(['.loadout/roles/empty.yaml:1:1: the file is empty']);
    expect(await problems('list', '- a\n- b\n')).toEqual([
      '.loadout/roles/list.yaml:1:1: the file holds a list of 2; allowed is a map of fields, such as "name: reviewer"',
    ]);
  });

  it('Missing required fields are caught (after merge)', async () => {
    expect(await problems('base', 'name: base\ncli: claude\n')).toEqual([
      '.loadout/roles/base.yaml:1:1: description is missing; allowed is text',
      '.loadout/roles/base.yaml:1:1: system_prompt is missing; allowed is text',
    ]);
    folders.write('repository', 'half.yaml', 'name: half\ncli: claude\n');
    expect(await problems('overlay', 'name: overlay\nextends: half\nsystem_prompt: Work.\n')).toEqual([
      '.loadout/roles/overlay.yaml:1:1: description is missing, and no file in the chain sets it; allowed is text',
    ]);
  });

  it('Invalid enum values are rejected', async () => {
    expect(await problems('base', BASE.replace('claude', 'clade'))).toEqual([
      '.loadout/roles/base.yaml:3:6: cli is "clade"; allowed is ' +
        '"claude" or "codex" or "copilot" or "gemini" or "opencode" or "qwen"',
    ]);
  });

  it('Inheritance chain is validated', async () => {
    folders.write('repository', 'broken.yaml', `${BASE.replace('base', 'broken')}config:\n  timeout: 5\n`);
    expect(await problems('overlay', 'name: overlay\nextends: broken\nconfig: {timeout: 60}\n')).toEqual([
      '.loadout/roles/broken.yaml:6:12: config.timeout is 5; allowed is a whole number, 30 to 3600 ' +
        '(chain: overlay -> broken)',
    ]);
    expect(await problems('orphan', 'name: orphan\nextends: nowhere-to-be-found\n')).toEqual([
      expect.stringMatching(
        /^\.loadout\/roles\/orphan\.yaml:2:10: extends is "nowhere-to-be-found", and there is no such role; known are .*planner.* \(chain: orphan -> nowhere-to-be-found\)$/,
      ),
    ]);
    folders.write('repository', 'one.yaml', 'name: one\nextends: two\n');
    folders.write('repository', 'two.yaml', 'name: two\nextends: three\n');
    expect(await problems('three', 'name: three\nextends: one\n')).toEqual([
      '.loadout/roles/two.yaml:2:10: extends is "three", which leads back to itself ' +
        '(chain: three -> one -> two -> three)',
    ]);
  });

  it('Overlay roles without `system_prompt` work (inherit from parent)', async () => {
    folders.write('repository', 'base.yaml', BASE);
    folders.write(
      'repository',
      'overlay.yaml',
      'name: overlay\nextends: base\nsystem_prompt_additions: Well.\n',
    );
    const { role } = await folders.loader().load('overlay');
    expect(role).toMatchObject({ description: 'A base role', cli: 'claude', systemPrompt: 'Work.\n\nWell.' });
  });

  it('Unknown fields are rejected (`additionalProperties: false`)', async () => {
    expect(await problems('base', `${BASE}gate: [npm test]\n`)).toEqual([
      '.loadout/roles/base.yaml:5:7: there is no field "gate"; did you mean gates? (a field of your own begins with x-)',
    ]);
  });
});

describe('core workflow, task 1: the code', () => {
  it("Field 'flags' must be list, got str (pre-merge type checks of flags, gates, context, config)", async () => {
    folders.write('repository', 'base.yaml', BASE);
    const text = 'name: overlay\nextends: base\nflags: --verbose\ngates: {}\ncontext: []\nconfig: text\n';
    expect(await problems('overlay', text)).toEqual([
      '.loadout/roles/overlay.yaml:3:8: flags is "--verbose"; allowed is a list of texts',
      '.loadout/roles/overlay.yaml:4:8: gates is a map of 0; allowed is a list of command lines',
      expect.stringMatching(
        /:5:10: context is a list of 0; allowed is a map of include, exclude, always_include,/,
      ),
      expect.stringMatching(/:6:9: config is "text"; allowed is a map of max_retries, timeout, tdd,/),
    ]);
  });

  it('Extension fields (x-model, x-temperature, etc.) for custom role options', async () => {
    folders.write('repository', 'base.yaml', `${BASE}x-model: opus\nx-temperature: 0.2\n`);
    const { role } = await folders.loader().load('base');
    expect(role.extensions).toEqual({ 'x-model': 'opus', 'x-temperature': 0.2 });
    const trusted = await folders.loader({ isRepositoryTrusted: true }).load('base');
    expect(trusted.role.config.model).toBe('opus');
  });

  it('context and config allow role-specific fields', async () => {
    folders.write('repository', 'base.yaml', `${BASE}config:\n  tdd: true\n  flavour: mild\n`);
    const { role, diagnostics } = await folders.loader().load('base');
    expect(role.config.tdd).toBe(true);
    expect(role.extensions).toEqual({ 'config.flavour': 'mild' });
    expect(diagnostics).toMatchObject([
      { code: 'role-unknown-field', severity: 'warning' },
      { code: 'role-not-trusted' },
    ]);
  });

  it.each(['planner', 'implementer', 'reviewer'])(
    'base_role is None for base roles (planner, implementer, reviewer): %s',
    async (name) => {
      const { role } = await folders.loader().load(name);
      expect(role).toMatchObject({ name, baseRole: null, extends: null, cli: 'claude' });
    },
  );

  it('reviewer-python (extends reviewer) → base_role = "reviewer"', async () => {
    folders.write('repository', 'reviewer-python.yaml', 'name: reviewer-python\nextends: reviewer\n');
    const { role } = await folders.loader().load('reviewer-python');
    expect(role).toMatchObject({ baseRole: 'reviewer', extends: 'reviewer' });
  });

  it('my-reviewer (extends reviewer-python extends reviewer) → base_role = "reviewer"', async () => {
    folders.write('repository', 'reviewer-python.yaml', 'name: reviewer-python\nextends: reviewer\n');
    folders.write('repository', 'my-reviewer.yaml', 'name: my-reviewer\nextends: reviewer-python\n');
    const { role } = await folders.loader().load('my-reviewer');
    expect(role).toMatchObject({ name: 'my-reviewer', baseRole: 'reviewer', extends: 'reviewer-python' });
    expect(role.chain.map(({ name, place }) => `${place} ${name}`)).toEqual([
      'repository my-reviewer',
      'repository reviewer-python',
      'built-in reviewer',
    ]);
  });

  it('implementer-python extends implementer: the base role is known through the chain', async () => {
    folders.write('user', 'implementer-python.yaml', 'name: implementer-python\nextends: implementer\n');
    expect((await folders.loader().load('implementer-python')).role.baseRole).toBe('implementer');
  });

  it('Project-specific, User-global, Built-in (search paths)', async () => {
    const loaded = async () => (await folders.loader().load('reviewer')).role.chain[0]?.place;
    expect(await loaded()).toBe('built-in');
    folders.write('user', 'reviewer.yaml', BASE.replace('base', 'reviewer'));
    expect(await loaded()).toBe('user');
    folders.write('repository', 'reviewer.yaml', BASE.replace('base', 'reviewer'));
    expect(await loaded()).toBe('repository');
  });

  it('gates stays as list[str]', async () => {
    folders.write('user', 'base.yaml', `${BASE}gates: [npm test, npm run lint]\n`);
    expect((await folders.loader().load('base')).role.gates).toEqual(['npm test', 'npm run lint']);
  });
});

describe('core workflow, task 1: role_schema.json', () => {
  // Word for word what is required of these fields.
  const REQUIRED = {
    name: { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_-]*$' },
    description: { type: 'string' },
    extends: { type: 'string' },
    flags: { type: 'array', items: { type: 'string' } },
    system_prompt: { type: 'string' },
    gates: { type: 'array', items: { type: 'string' } },
  };
  const SEED_CONTEXT = {
    include: { type: 'array', items: { type: 'string' } },
    exclude: { type: 'array', items: { type: 'string' } },
    always_include: { type: 'array', items: { type: 'string' } },
    token_budget: { type: 'integer', minimum: 1000, maximum: 100000 },
    git_diff: { type: 'boolean' },
    priority_order: { type: 'array', items: { type: 'string' } },
  };
  const SEED_CONFIG = {
    max_retries: { type: 'integer', minimum: 1, maximum: 10 },
    timeout: { type: 'integer', minimum: 30, maximum: 3600 },
    tdd: { type: 'boolean' },
    coverage_target: { type: 'integer', minimum: 0, maximum: 100 },
  };

  it('describes every field as required', () => {
    expect(roleJsonSchema('merged')).toMatchObject({
      required: ['name', 'description', 'cli', 'system_prompt'],
      additionalProperties: false,
      patternProperties: { '^x-': {} },
      properties: {
        ...REQUIRED,
        cli: { type: 'string', enum: expect.arrayContaining(['claude', 'codex', 'gemini']) },
        context: { additionalProperties: true, properties: SEED_CONTEXT },
        config: { additionalProperties: true, properties: SEED_CONFIG },
      },
    });
  });

  it.each([
    ['context', 'token_budget', [1000, 100_000], [999, 100_001, '"2000"', 1000.5]],
    ['config', 'max_retries', [1, 10], [0, 11, true]],
    ['config', 'timeout', [30, 3600], [29, 3601, '1h']],
    ['config', 'coverage_target', [0, 100], [-1, 101]],
    ['config', 'tdd', [true, false], ['yes', 1]],
    ['context', 'git_diff', [true, false], ['"true"', 0]],
  ] as const)('%s.%s has the bounds that are required', async (group, field, good, bad) => {
    for (const value of good)
      expect(await problems('base', `${BASE}${group}: {${field}: ${value}}\n`)).toEqual([]);
    for (const value of bad) {
      expect(await problems('base', `${BASE}${group}: {${field}: ${value}}\n`)).toEqual([
        expect.stringContaining(`${group}.${field} is `),
      ]);
    }
  });

  it.each(['-a', '1a', 'a b', 'ä', '""'])('a name is letters, digits, _ and -: %s is not', async (name) => {
    expect((await problems('base', BASE.replace('name: base', `name: ${name}`))).join()).toContain(
      'name is ',
    );
  });
});

describe('packing: the parts of a role that packing uses', () => {
  it('`git_diff: true`, `$TARGET`, `$TARGET_IMPORTS`, `$CHANGED_FILES` and `git diff --cached` are known', async () => {
    const { role, diagnostics } = await folders.loader().load('reviewer');
    expect(diagnostics).toEqual([]);
    expect(role.context).toMatchObject({
      gitDiff: true,
      include: expect.arrayContaining(['git diff --cached', '$CHANGED_FILES', '$TARGET_IMPORTS']),
    });
    const implementer = await folders.loader().load('implementer');
    expect(implementer.role.context.include).toContain('$TARGET');
  });

  it('`role.context.priority_order` is handed on as it is written', async () => {
    folders.write(
      'repository',
      'base.yaml',
      `${BASE}context:\n  priority_order: [task_description, readme, tree, target_file]\n`,
    );
    const { role } = await folders.loader().load('base');
    expect(role.context.priorityOrder).toEqual(['task_description', 'readme', 'tree', 'target_file']);
  });

  it('loader = RoleLoader(); role = loader.load_role("implementer")', async () => {
    const { role } = await folders.loader().load('implementer');
    expect(role.context.tokenBudget).toBeGreaterThan(1000);
    expect(readFileSync('roles/implementer.yaml', 'utf8')).toContain(role.systemPrompt.split('\n', 1)[0]);
  });
});

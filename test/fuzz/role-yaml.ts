import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../../src/context/pack.ts';
import { renderPrompt, templateForRole } from '../../src/context/prompt/render-prompt.ts';
import { roleForPackage } from '../../src/context/prompt/role-for-package.ts';
import { openRoles } from '../../src/context/roles/open-roles.ts';
import { renderRoleYaml, roleAsData } from '../../src/context/roles/role-as-data.ts';
import { type IndexSession, openIndexSession } from '../../src/scan/index-session.ts';
import { settingsFor } from '../support/scan-kit.ts';
import type { FuzzWorld } from './environment.ts';
import { fuzzClass } from './fuzz-class.ts';
import { type Grammar, mutate } from './mutate.ts';

const FOLDER = fileURLToPath(new URL('../../roles', import.meta.url));
const NAME = 'fuzzed';
const HEAD = `name: ${NAME}\nextends: implementer\ndescription: d\n`;

const GRAMMAR: Grammar = {
  examples: [
    ...readdirSync(FOLDER)
      .sort()
      .map((file) => readFileSync(join(FOLDER, file), 'utf8').replace(/^name: .*$/m, `name: ${NAME}`)),
    ...['tester', 'reviewer', 'planner'].map(
      (parent) =>
        `name: ${NAME}\nextends: ${parent}\ndescription: 'own'\nsystem_prompt_additions: >\n  More.\ncontext:\n  include: ["src/**", $TARGET_IMPORTS:2]\n  always_include:\n    - docs/guide.md\n    - canary-link.ts\n  exclude: [test/]\n  path_restrictions: ["**"]\n  token_budget: 4000\n`,
    ),
    `${HEAD}context: {always_include: [linked/canary.ts, "src/{http,long}.ts"], git_diff: true}\n`,
    `${HEAD}flags: [--verbose]\ngates: ["npm test"]\nconfig: {model: m, timeout: 60, max_retries: 2, tdd: true}\nx-own: &a [1, 2]\nx-other: *a\n`,
    JSON.stringify({
      name: NAME,
      extends: 'tester',
      description: 'as JSON',
      context: { include: ['src/*.ts'] },
    }),
  ],
  words: [
    ...[
      'name:',
      'extends:',
      'description:',
      'cli: claude',
      'flags:',
      'system_prompt:',
      'system_prompt_additions: |',
    ],
    ...[
      'context:',
      'include:',
      'exclude:',
      'always_include:',
      'path_restrictions:',
      'priority_order:',
      'gates:',
      'config:',
    ],
    ...[
      '- ',
      '  ',
      '\t',
      '---',
      '...',
      '%YAML 1.1',
      '&a',
      '*a',
      '<<: *a',
      '!!binary',
      '!!set',
      '? ',
      '|',
      '>-',
      '#',
      ': ',
    ],
    ...[
      '.inf',
      '~',
      'yes',
      '0o7',
      '2001-01-01',
      '$TARGET',
      '$RELATED',
      '$TESTS',
      '$NOPE',
      'git diff --cached',
      '**',
    ],
    ...[
      'implementer',
      'tester',
      NAME,
      '__proto__:',
      'constructor:',
      '{a,b}',
      '[a-z]',
      '!(a)',
      '../**',
      'x-model: m',
    ],
  ],
  brackets: [
    ['[', ']'],
    ['{a: ', '}'],
    ['- ', ''],
    ['? ', ''],
    ['{', ',}'],
    ["'", "'"],
  ],
};

/** Any other name keeps the role from being loaded; the file must still be read without harm. */
export const roleYaml = fuzzClass<{ readonly runEnvironment: FuzzWorld; readonly session: IndexSession }>({
  setUp: async (runEnvironment) => {
    const settings = settingsFor(runEnvironment.cache);
    const scan = { repo: runEnvironment.repository, settings, mode: settings.scanMode };
    const session = await openIndexSession(scan, 'watched');
    await session.use(() => {});
    return { runEnvironment, session };
  },
  generate: (random) => mutate(random, GRAMMAR),
  async run({ runEnvironment, session }, input) {
    // the user's own folder, so that flags and gates are obeyed as well; a change there does not stir the index
    const file = join(runEnvironment.home, 'config/roles', `${NAME}.yaml`);
    runEnvironment.write(join('../config/roles', `${NAME}.yaml`), input);
    try {
      const roles = await openRoles({
        repo: runEnvironment.repository,
        environment: runEnvironment.environment,
      });
      const checked = await roles.check(NAME);
      const shown = [JSON.stringify(checked), JSON.stringify(await roles.checkFile(file))];
      if (checked.role === null) return shown.join('\n');
      const { role } = await roles.load(NAME);
      shown.push(await renderRoleYaml(roleAsData(role)));
      const { name, tokenBudget, select } = roleForPackage(role);
      const settings = { ...settingsFor(runEnvironment.cache), tokenBudget: tokenBudget ?? 6_000 };
      const built = await buildPackage(
        {
          repo: runEnvironment.repository,
          userDirectory: join(runEnvironment.home, 'config'),
          settings,
          task: 'refresh the token earlier',
          targets: ['src/auth/token.ts'],
          role: name,
          select,
        },
        session,
      );
      shown.push(built.text, JSON.stringify(built.pack));
      const template = templateForRole(role);
      if (template !== null) shown.push(renderPrompt(template, role, 'the task', built.text));
      return shown.join('\n');
    } finally {
      rmSync(file, { force: true });
    }
  },
  tearDown: ({ session }) => session.close(),
});

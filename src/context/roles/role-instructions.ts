import type { Role } from './role.ts';

/** What an agent in this role is told about itself: its system prompt, and what `config` asks of its tests. */
export function roleInstructions({ systemPrompt, config }: Pick<Role, 'systemPrompt' | 'config'>): string {
  const { tdd, coverageTarget } = config;
  const rules = [
    ...(tdd
      ? ['- Tests come first: before you change code, write the test that asks for it and see it fail.']
      : []),
    ...(coverageTarget
      ? [
          `- Your tests must reach at least ${coverageTarget} percent of the lines that you add or change, or of the code under test when you write tests only.`,
        ]
      : []),
  ];
  const prompt = systemPrompt.trim();
  return rules.length === 0 ? prompt : `${prompt}\n\n${rules.join('\n')}`;
}

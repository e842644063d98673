import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRunEnvironment } from '../../src/workers/run-environment.ts';
import type { RunResult } from '../../src/workers/run-record.ts';
import { runRole } from '../../src/workers/run-role.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';

const ANSWERS = {
  planner: { status: 'COMPLETE', phases: [{ name: 'one' }], estimated_components: 1, next_step: null },
  implementer: { status: 'SUCCESS', action_taken: 'done', next_step: null },
  reviewer: { status: 'APPROVED', review_status: 'APPROVED', next_step: null },
};

/** A program of this name that notes that it was called and answers as claude does. */
function fakeProgram(repository: TemporaryRepository, name: string, answer: unknown): void {
  const text = `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``;
  const result = { type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's' };
  const folder = join(repository.home, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(repository.home, `${name}.json`), `${JSON.stringify(result)}\n`);
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo 1.0.0; exit 0; }\ncat > /dev/null\necho ${name} >> "$HOME/called"\ncat "$HOME/${name}.json"\n`;
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
}

async function run(
  repository: TemporaryRepository,
  role: string,
  cli?: 'claude' | 'codex' | 'gemini',
): Promise<RunResult> {
  const env = { PATH: `${repository.home}/bin:${process.env.PATH}`, HOME: repository.home };
  const environment = createRunEnvironment({ env, settings: { cacheDir: repository.cache } });
  const request = { repository: repository.path, task: 'Add a login page', role, maxRetries: 0 };
  return runRole(cli === undefined ? request : { ...request, cli }, environment).result;
}

const promptOf = (result: RunResult) => readFileSync(join(result.folder, 'attempt-1.prompt.md'), 'utf8');
const FILES = {
  'src/login.ts': 'export function login(name: string): boolean {\n  return name !== "";\n}\n',
  '.loadout/roles/reviewer-web.yaml':
    'name: reviewer-web\nextends: reviewer\nsystem_prompt_additions: Look at forms.\n',
  '.loadout/roles/my-reviewer.yaml': 'name: my-reviewer\nextends: reviewer-web\n',
};

const ROLES = [
  ['planner', 'planner'],
  ['implementer', 'implementer'],
  ['reviewer', 'reviewer'],
  ['reviewer-web', 'reviewer'],
  ['my-reviewer', 'reviewer'],
] as const;
/** Fields that a schema fills in show which one read the answer. */
const FILLED = { planner: 'risks', implementer: 'blockers', reviewer: 'security_concerns' };

describe('Task 5: Runtime Integration', () => {
  it('`run_role()` uses templates for prompt generation; output parsing uses existing models', async () => {
    const repository = temporaryRepository(FILES);
    for (const [role, base] of ROLES) {
      fakeProgram(repository, 'claude', ANSWERS[base]);
      const result = await run(repository, role, 'claude');
      expect(result).toMatchObject({ outcome: 'passed', role, answer: ANSWERS[base] });
      expect(result.answer).toHaveProperty(FILLED[base], []);
      const prompt = promptOf(result);
      expect(prompt).toContain('Add a login page');
      expect(prompt).toContain('```json');
      if (role !== base) expect(prompt).toContain('Look at forms.');
    }
    fakeProgram(repository, 'claude', ANSWERS.planner);
    const wrong = await run(repository, 'reviewer-web', 'claude');
    expect(wrong).toMatchObject({ outcome: 'failed', reason: 'answer-refused' });
  });

  it('every prompt that a run sends asks for the fenced JSON, for a role without a known base too', async () => {
    const repository = temporaryRepository({
      ...FILES,
      '.loadout/roles/lone.yaml': 'name: lone\ndescription: d\ncli: claude\nsystem_prompt: You are alone.\n',
    });
    fakeProgram(repository, 'claude', { status: 'DONE' });
    for (const role of [...ROLES.map(([name]) => name), 'lone']) {
      const prompt = promptOf(await run(repository, role, 'claude'));
      expect(prompt, role).toContain('You MUST end your response with a fenced JSON code block');
      expect(prompt.trimEnd().endsWith('```'), role).toBe(true);
    }
    expect(await run(repository, 'lone', 'claude')).toMatchObject({
      outcome: 'passed',
      answer: { status: 'DONE' },
    });
  });

  it('CLI adapter selection works correctly', async () => {
    const repository = temporaryRepository(FILES);
    for (const name of ['claude', 'codex', 'gemini']) fakeProgram(repository, name, ANSWERS.implementer);
    for (const cli of ['claude', 'codex', 'gemini'] as const) {
      const result = await run(repository, 'implementer', cli);
      // Only the adapter of claude understands what these programs say.
      expect(result.outcome).toBe(cli === 'claude' ? 'passed' : 'failed');
    }
    const called = readFileSync(join(repository.home, 'called'), 'utf8').trim().split('\n');
    expect([...new Set(called)]).toEqual(['claude', 'codex', 'gemini']);
  });
});

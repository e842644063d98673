import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runKit, say, scriptAgent } from './run.test-kit.ts';
import { createRunEnvironment } from './run-environment.ts';
import { runRole } from './run-role.ts';

it('a retry without a session keeps the output of the failed gate, whatever the budget', async () => {
  const script = `cat > "$HOME/prompt"; ${say()}`;
  const { repository, request, environment } = runKit(scriptAgent(script));
  const config = join(repository.home, 'config');
  mkdirSync(join(config, 'roles'), { recursive: true });
  writeFileSync(
    join(config, 'roles/tiny.yaml'),
    'name: tiny\nextends: implementer\ndescription: d\ncontext: {token_budget: 2000}\n',
  );
  const { buildPrompt } = createRunEnvironment({ settings: { cacheDir: repository.cache } });
  const result = await runRole(
    { ...request, role: 'tiny', gates: ['seq 1 3000; echo WHY; exit 1'], maxRetries: 1 },
    { ...environment, configDirectory: config, buildPrompt },
  ).result;
  expect(result.attempts).toHaveLength(2);
  const prompt = readFileSync(join(repository.home, 'prompt'), 'utf8');
  expect(prompt).toContain('WHY');
  expect(prompt).toContain('failed (exit code 1)');
  expect(prompt).toMatch(/\[Truncated \d+ lines\]/);
});

it.each([
  ['lines', 4, (name: string) => `echo FIRST-${name}; seq 1 3000; echo WHY-${name}; exit 1`],
  [
    'one long line',
    2,
    (name: string) => `printf FIRST-${name}; seq 1 3000 | tr '\\n' ' '; printf WHY-${name}; exit 1`,
  ],
])('each failed gate keeps its beginning and its end in a small prompt: %s', async (_, count, gate) => {
  const script = `cat > "$HOME/prompt"; ${say()}`;
  const { repository, request, environment } = runKit(scriptAgent(script));
  const config = join(repository.home, 'config');
  mkdirSync(join(config, 'roles'), { recursive: true });
  writeFileSync(
    join(config, 'roles/tiny.yaml'),
    'name: tiny\nextends: implementer\ndescription: d\ncontext: {token_budget: 2500}\n',
  );
  const { buildPrompt } = createRunEnvironment({ settings: { cacheDir: repository.cache } });
  for (const names of [['a', 'b'], ['a', 'b', 'c', 'd'].slice(0, count)]) {
    const result = await runRole(
      { ...request, role: 'tiny', gates: names.map(gate), maxRetries: 1 },
      { ...environment, configDirectory: config, buildPrompt },
    ).result;
    expect(result.attempts).toHaveLength(2);
    const prompt = readFileSync(join(repository.home, 'prompt'), 'utf8');
    // The commands hold the words, too.
    const said = prompt.replaceAll(/^`.*` failed.*$/gm, '');
    for (const name of names) for (const word of ['FIRST', 'WHY']) expect(said).toContain(`${word}-${name}`);
    expect(result.diagnostics.map(({ code }) => code)).not.toContain('prompt-over-budget');
  }
});

it('a gate has all it wrote in the record, and its beginning and end in the prompt', async () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const gate = `echo FIRST; echo ${secret}; seq 1 200000; echo LAST >&2; exit 1`;
  for (const canResume of [false, true]) {
    const kit = runKit(scriptAgent(`cat > "$HOME/prompt"; ${say()}`, { canResume }));
    const { repository, request, environment } = kit;
    const gates = [gate, 'true', 'exit 3'];
    const result = await runRole({ ...request, gates, maxRetries: 1 }, environment).result;
    const said = canResume
      ? readFileSync(join(repository.home, 'prompt'), 'utf8')
      : kit.prompts[1]!.test_output!;
    expect(said).toMatch(/FIRST\n[\s\S]*\n\[\d+ bytes left out\]\n[\s\S]*\nLAST\n?/);
    expect(result.attempts[0]!.gates.map(({ outputFile }) => outputFile)).toEqual([
      'attempt-1.gate-1.log',
      null,
      null,
    ]);
    for (const attempt of [1, 2]) {
      const file = join(result.folder, `attempt-${attempt}.gate-1.log`);
      const log = readFileSync(file, 'utf8');
      expect(log).toMatch(/^FIRST\n\[redacted/);
      for (const line of ['1', '100000', '200000', 'LAST']) expect(log).toContain(`\n${line}\n`);
      expect(log).not.toContain(secret);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    for (const name of ['record.json', 'events.jsonl'])
      expect(readFileSync(join(result.folder, name), 'utf8')).not.toContain(secret);
  }
});

describe('a run', () => {
  it('tells the agent which gate failed and tries again', async () => {
    const script = `cat > prompt.seen; [ -f a2.txt ] && echo good > a2.txt || echo bad > a2.txt; ${say()}`;
    const { environment, request, prompts } = runKit(scriptAgent(script));
    const gates = ['grep -q good a2.txt || { echo the file is bad; exit 3; }'];
    const result = await runRole({ ...request, gates }, environment).result;
    expect(result.outcome).toBe('passed');
    expect(result.attempts.map(({ reason }) => reason)).toEqual(['gate-failed', null]);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]!.test_output).toContain('the file is bad');
    expect(result.usage).toEqual({ inputTokens: 200, cachedInputTokens: 20, outputTokens: 10 });
  });

  it('continues the session of an agent that can, with feedback on its answer', async () => {
    const script = `cat > "$HOME/prompt-$1"; if [ -n "$1" ]; then ${say()}; else echo no answer; fi`;
    const { repository, environment, request, prompts } = runKit(scriptAgent(script, { canResume: true }));
    const result = await runRole(request, environment).result;
    expect(result.attempts.map(({ mode, reason }) => [mode, reason])).toEqual([
      ['fresh', 'answer-refused'],
      ['resume', null],
    ]);
    expect(prompts).toHaveLength(1);
    expect(readFileSync(join(repository.home, 'prompt-session-1'), 'utf8')).toContain('no JSON block');
  });

  it('waits and starts again after a transient failure, and gives up after any other', async () => {
    const flaky = `cat >/dev/null; if [ -f "$HOME/tried" ]; then [ -f half ] && exit 9; ${say()}; else touch "$HOME/tried" half; exit 75; fi`;
    const { environment, request, delays } = runKit(scriptAgent(flaky));
    const result = await runRole(request, environment).result;
    expect(result.outcome).toBe('passed');
    expect(delays).toEqual([500]);
    const broken = runKit(scriptAgent('cat > /dev/null; echo bad key >&2; exit 1'));
    const failed = await runRole(broken.request, broken.environment).result;
    expect(failed).toMatchObject({
      outcome: 'failed',
      reason: 'agent-failed',
      message: 'claude: crash: bad key',
    });
    expect(failed.attempts).toHaveLength(1);
  });
});

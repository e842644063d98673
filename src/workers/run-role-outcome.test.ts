import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NamedWorker } from '../agents/agent-worker.ts';
import { CHANGES, GOOD_ANSWER, runKit, say, scriptAgent } from './run.test-kit.ts';
import { runRole } from './run-role.ts';

describe('a run', () => {
  it('asks for a structured answer in the form that the service accepts, and reads one only then', async () => {
    const seen: unknown[] = [];
    const script = `cat > /dev/null; ${say()}`;
    const given = (native: Partial<NamedWorker>) => {
      const agent = scriptAgent(script, { hasNativeSchema: 'file', ...native });
      return scriptAgent(script, {
        ...agent,
        start: (options) => {
          seen.push([options.schema, options.schemaFile && readFileSync(options.schemaFile, 'utf8')]);
          return agent.start(options);
        },
        read: (output) => ({ ...agent.read(output), structured: { ...GOOD_ANSWER, status: 'PARTIAL' } }),
      });
    };
    const answerOf = async (native: Partial<NamedWorker>) => {
      const { environment, request } = runKit(given(native));
      return (await runRole(request, environment).result).answer?.status;
    };
    expect(await answerOf({ nativeSchema: () => ({ own: true }) })).toBe('PARTIAL');
    expect(await answerOf({ nativeSchema: () => null })).toBe('SUCCESS');
    expect(await answerOf({ hasNativeSchema: null, nativeSchema: () => ({ own: true }) })).toBe('SUCCESS');
    expect(seen).toEqual([
      [{ own: true }, '{"own":true}'],
      [null, null],
      [null, null],
    ]);
  });

  it('fails a gate that changes files, and undoes its changes', async () => {
    const { environment, request } = runKit(scriptAgent(`${CHANGES} ${say()}`));
    const result = await runRole(
      { ...request, gates: ['echo more >> a.txt; touch extra'], maxRetries: 0 },
      environment,
    ).result;
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: 'gate-failed',
      changedFiles: ['a.txt', 'new.txt'],
    });
    expect(result.attempts[0]!.gates[0]).toMatchObject({ passed: false, why: 'changed-the-tree' });
    expect(readFileSync(result.patchFile!, 'utf8')).not.toContain('more');
  });

  it('judges the content of the patch: gates do not see ignored files and repositories of the agent', async () => {
    const script = `cat > /dev/null; mkdir -p ignored b/ignored; echo x > ignored/y; echo x > b/ignored/z; git init -q nested; echo x > nested/x
      if [ -f seen ]; then echo "$(cat ignored/y)" > back; fi; touch seen; ${say()}`;
    const { environment, request, prompts } = runKit(scriptAgent(script));
    const gates = ['test ! -e ignored && test ! -e b/ignored && test ! -e nested', 'test -f back'];
    const result = await runRole({ ...request, gates, maxRetries: 1 }, environment).result;
    expect(result).toMatchObject({ outcome: 'passed', changedFiles: ['back', 'seen'] });
    expect(prompts[1]!.test_output).toContain('ran without files that git ignores');
    expect(result.attempts[1]!.setAside).toEqual(['b/ignored', 'ignored', 'nested']);
    expect(result.diagnostics.find(({ code }) => code === 'files-set-aside')?.message).toContain('b/ignored');
    // Files that one gate makes are there for the next, and files that the agent left are in a kept tree.
    const kept = await runRole(
      {
        ...request,
        gates: ['mkdir ignored && echo gate > ignored/g', 'test -f ignored/g'],
        keep: true,
        maxRetries: 0,
      },
      environment,
    ).result;
    expect(kept.outcome).toBe('passed');
    expect(readFileSync(join(kept.keptTree!.path, 'nested/x'), 'utf8')).toBe('x\n');
    expect(readFileSync(join(kept.keptTree!.path, 'ignored/g'), 'utf8')).toBe('gate\n');
  });

  it.each([
    ['reviewer', { status: 'REJECTED', review_status: 'REJECTED', issues: [], next_step: null }],
    [
      'reviewer',
      { status: 'CHANGES_REQUESTED', review_status: 'CHANGES_REQUESTED', issues: [], next_step: null },
    ],
    ['planner', { status: 'BLOCKED', phases: [], estimated_components: 0, next_step: null }],
    ['planner', { status: 'NEEDS_REFINEMENT', phases: [], estimated_components: 0, next_step: null }],
    ['implementer', { ...GOOD_ANSWER, status: 'PARTIAL' }],
    ['implementer', { ...GOOD_ANSWER, status: 'FAILED' }],
    ['implementer', { ...GOOD_ANSWER, status: 'BLOCKED' }],
  ])('does not pass when the %s answers no: %j', async (role, answer) => {
    const { environment, request } = runKit(scriptAgent(`${CHANGES} ${say(answer)}`));
    const result = await runRole({ ...request, role, branch: true, apply: true }, environment).result;
    expect(result).toMatchObject({
      ...{ outcome: 'failed', reason: 'answered-no', message: `the answer is ${answer.status}`, answer },
      ...{ branch: null, applied: false },
    });
    expect(result.attempts).toHaveLength(1);
  });

  it.each([[''], ['  \n'], [[]], [['', 'x']]])(
    'refuses the empty gate %j before it starts anything',
    async (gate) => {
      const { repository, environment, request } = runKit(scriptAgent(`touch "$HOME/started"; ${say()}`));
      await expect(runRole({ ...request, gates: ['true', gate] }, environment).result).rejects.toMatchObject({
        code: 'empty-gate',
        message: expect.stringContaining(JSON.stringify(gate)),
      });
      expect(existsSync(join(repository.home, 'started'))).toBe(false);
    },
  );
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { kitFor, say, scriptAgent } from '../run.test-kit.ts';
import type { GateCommand } from '../run-request.ts';
import { createLoopEnvironment } from './loop-environment.ts';
import { withLoop } from './open-loop.ts';
import { stepLoop } from './run-task-tree.ts';
import { startLoop } from './start-loop.ts';

const DONE = { status: 'done', summary: 'made it' };
const READ_PROMPT = 'cat > "$HOME/prompt"';

/** One iteration with a real process as its agent and real gates. */
async function stepWith(
  script: string,
  gates: readonly GateCommand[] = [],
  timeoutMs = 20_000,
  role = 'implementer',
) {
  const repository = temporaryRepository({ 'a.txt': 'one\n' });
  repository.git('switch', '--quiet', '-c', 'work');
  await startLoop({ repository: repository.path, goal: 'Do it' }, () => 0);
  const { environment } = kitFor(repository, scriptAgent(script));
  const signal = new AbortController().signal;
  const workers = { repository: repository.path, role, gates, timeoutMs, signal };
  const report = withLoop(repository.path, undefined, async (loop) => {
    const { loopEnvironment } = await createLoopEnvironment(workers, environment, null);
    return stepLoop(loop, loopEnvironment, { role, promptBytes: 40_960, signal });
  });
  const [outcome] = await Promise.allSettled([report]);
  return { repository, outcome: outcome.status === 'fulfilled' ? outcome.value : outcome.reason };
}

describe('a worker of the loop', () => {
  it('gets the prompt and the context files, and answers in the form of the loop', async () => {
    const script = `${READ_PROMPT}; cp .loadout/loop/context/goal.md seen.md; ${say(DONE)}`;
    const { repository, outcome } = await stepWith(script, ['test -f seen.md']);
    expect(outcome).toMatchObject({ result: 'passed', guard: 'pass', summary: 'made it' });
    expect(readFileSync(join(repository.path, 'seen.md'), 'utf8')).toMatch(/^# Goal\n\ntitle: Do it\n/);
    expect(readFileSync(join(repository.home, 'prompt'), 'utf8')).toContain('# Output contract');
  });

  it('is asked again when its answer has the wrong form, and then counts as an attempt', async () => {
    const again = `${READ_PROMPT}; echo x >> "$HOME/calls"; grep -q 'not have the form' "$HOME/prompt" && echo told >> "$HOME/calls"; ${say({ status: 'perhaps', summary: '' })}`;
    const { repository, outcome } = await stepWith(again);
    expect(outcome).toMatchObject({ result: 'failed', status: 'retry', attempts: 1 });
    expect(readFileSync(join(repository.home, 'calls'), 'utf8')).toBe('x\nx\ntold\nx\ntold\n');
  });

  it('that is too slow counts as an attempt and leaves nothing', async () => {
    const slow = `${READ_PROMPT}; echo x >> "$HOME/calls"; echo half > half.txt; sleep 30`;
    const { repository, outcome } = await stepWith(slow, [], 1_000);
    expect(outcome).toMatchObject({ result: 'failed', status: 'retry', guard: 'skipped', attempts: 1 });
    expect(outcome).toMatchObject({ summary: 'no answer within 1 s' });
    expect(readFileSync(join(repository.home, 'calls'), 'utf8')).toBe('x\n');
    expect(existsSync(join(repository.path, 'half.txt'))).toBe(false);
  });

  it.each(['reviewer', 'planner'])(
    'has none of its edits committed as a %s, and the guard sees none',
    async (role) => {
      const note = 'echo "it is old" >> .loadout/loop/state/assumptions.md';
      const script = `${READ_PROMPT}; echo mine > a.txt; echo new > new.txt; ${note}; ${say(DONE)}`;
      const { repository, outcome } = await stepWith(
        script,
        ['grep -q one a.txt && test ! -e new.txt'],
        20_000,
        role,
      );
      expect(outcome).toMatchObject({ result: 'passed', guard: 'pass' });
      expect(repository.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toEqual([
        '.loadout/loop/state/assumptions.md',
        '.loadout/loop/state/run_state.json',
        '.loadout/loop/state/tree.json',
      ]);
      expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('one\n');
      expect((outcome as { diagnostics: { code: string; message: string }[] }).diagnostics).toEqual([
        expect.objectContaining({
          code: 'read-only-changes',
          message: expect.stringContaining('a.txt, new.txt'),
        }),
      ]);
    },
  );

  it.each([['  '], [[]], [['']]])('is not started for the empty guard %j', async (guard) => {
    const { repository, outcome } = await stepWith(`touch "$HOME/started"; ${say(DONE)}`, [guard]);
    expect(outcome).toMatchObject({
      code: 'empty-gate',
    });
    expect(existsSync(join(repository.home, 'started'))).toBe(false);
  });

  it('that cannot work counts for nothing', async () => {
    const { repository, outcome } = await stepWith(`${READ_PROMPT}; echo "no login" >&2; exit 1`);
    expect(outcome).toMatchObject({ code: 'worker-failed', message: expect.stringContaining('no login') });
    expect(repository.git('log', '-1', '--format=%s').trim()).toBe('loadout loop: start');
  });
});

describe('a guard', () => {
  it.each<[string, GateCommand, string]>([
    ['says no', 'echo too bad; exit 4', '$ echo too bad; exit 4\ntoo bad\n(failed with exit code 4)\n'],
    ['changes files', 'echo x > a.txt', 'changed-the-tree'],
  ])('that %s fails the iteration', async (_, guard, log) => {
    const { repository, outcome } = await stepWith(`${READ_PROMPT}; ${say(DONE)}`, ['true', guard]);
    expect(outcome).toMatchObject({ result: 'failed', guard: 'fail', attempts: 1 });
    const { runId } = outcome as { runId: string };
    const file = join(repository.path, '.loadout/loop/iterations', runId, '1/guard.log');
    expect(readFileSync(file, 'utf8')).toContain(log);
    expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('that is not there counts for nothing', async () => {
    const { outcome } = await stepWith(`${READ_PROMPT}; ${say(DONE)}`, [['no-such-program-anywhere']]);
    expect(outcome).toMatchObject({ code: 'guard-not-found' });
  });
});

// What is the user's: a run gives a change, and neither alters nor shows anything else.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import { CHANGES, GOOD_ANSWER, runKit, say, scriptAgent, userState } from './run.test-kit.ts';
import type { RunEvent } from './run-record.ts';
import { runRole } from './run-role.ts';

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('a run', () => {
  it("gives the change as a patch and a branch, and leaves the user's files alone", async () => {
    const { repository, environment, request } = runKit(scriptAgent(`${CHANGES} ${say()}`));
    const before = userState(repository);
    const handle = runRole(
      { ...request, branch: true, gates: ['test -f new.txt', ['test', '-f', 'a.txt']] },
      environment,
    );
    const events = await collect(handle.events);
    const result = await handle.result;
    expect(result).toMatchObject({
      outcome: 'passed',
      reason: null,
      answer: GOOD_ANSWER,
      changedFiles: ['a.txt', 'new.txt'],
      branch: `loadout/${handle.run}`,
      applied: false,
      promptId: 'p1',
      packageId: 'pack-1',
      usage: { inputTokens: 100 },
      costUsd: 0.25,
      keptTree: null,
      cliVersion: '1.0.0',
    });
    expect(readFileSync(result.patchFile!, 'utf8')).toContain('+changed');
    expect(repository.git('show', `loadout/${handle.run}:a.txt`)).toBe('changed\n');
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('one\n');
    expect(events.map(({ type }) => type).filter((type) => type !== 'agent-output')).toEqual([
      ...['run-start', 'tree-ready', 'attempt-start', 'agent-start', 'agent-end', 'answer-accepted'],
      ...['gate-start', 'gate-end', 'gate-start', 'gate-end', 'attempt-end', 'run-end'],
    ]);
    expect(userState(repository)).toEqual(before);
    expect(JSON.parse(readFileSync(join(result.folder, 'record.json'), 'utf8'))).toMatchObject({
      run: handle.run,
    });
  });

  it('applies a patch only when all of it fits', async () => {
    const { repository, environment, request } = runKit(scriptAgent(`${CHANGES} ${say()}`));
    const first = await runRole({ ...request, apply: true }, environment).result;
    expect(first.applied).toBe(true);
    expect(readFileSync(join(repository.path, 'new.txt'), 'utf8')).toBe('new\n');
    writeFileSync(join(repository.path, 'a.txt'), 'mine\n');
    const second = await runRole({ ...request, apply: true }, environment).result;
    expect(second.applied).toBe(false);
    expect(second.diagnostics.map(({ code }) => code)).toEqual(['uncommitted-changes', 'patch-not-applied']);
    expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('mine\n');
  });

  it.each([
    ['an absolute one', 'ln -s /etc/passwd out', 'out -> /etc/passwd'],
    ['one that climbs', 'mkdir d; ln -s ../../out d/out', 'd/out -> ../../out'],
    ['one through another', 'mkdir -p d/e; ln -s d/e in; ln -s in/../../../x out', 'out -> in/../../../x'],
    ['one into the git directory', 'ln -s .git/hooks out', 'out -> .git/hooks'],
    ['one that replaces a file', 'rm a.txt; ln -s /tmp a.txt', 'a.txt -> /tmp'],
    ['a circle', 'ln -s one two; ln -s two one', 'one -> two'],
  ])('does not lay a link that leads out of the repository: %s', async (_, make, told) => {
    const { repository, environment, request } = runKit(scriptAgent(`cat > /dev/null; ${make}; ${say()}`));
    const before = userState(repository);
    const result = await runRole({ ...request, apply: true }, environment).result;
    expect(result).toMatchObject({ outcome: 'passed', applied: false });
    expect(result.diagnostics.find(({ code }) => code === 'patch-not-applied')?.message).toContain(told);
    expect(userState(repository)).toEqual(before);
    expect(existsSync(result.patchFile!)).toBe(true);
  });

  it('applies a patch with a link that stays inside', async () => {
    const { repository, environment, request } = runKit(
      scriptAgent(`cat > /dev/null; ln -s ../a.txt b/link; ${say()}`),
    );
    expect(await runRole({ ...request, apply: true }, environment).result).toMatchObject({ applied: true });
    expect(readFileSync(join(repository.path, 'b/link'), 'utf8')).toBe('one\n');
  });

  it('keeps and names the tree when the patch is too large to be saved', { timeout: 60_000 }, async () => {
    const script = `cat > /dev/null; yes 0123456789 | head -c 70000000 > large.txt; ${say()}`;
    const { repository, environment, request } = runKit(scriptAgent(script));
    const result = await runRole({ ...request, branch: true, apply: true }, environment).result;
    expect(result).toMatchObject({
      ...{ outcome: 'passed', patchFile: null, applied: false, changedFiles: ['large.txt'] },
      keptTree: { why: 'too-large' },
    });
    expect(result.diagnostics.find(({ code }) => code === 'patch-too-large')?.message).toContain(
      result.keptTree!.path,
    );
    expect(existsSync(join(result.keptTree!.path, 'large.txt'))).toBe(true);
    expect(repository.git('cat-file', '-s', `${result.branch}:large.txt`).trim()).toBe('70000000');
  });

  it('shows gates no secrets', async () => {
    const { environment, request } = runKit(scriptAgent(`cat >/dev/null; ${say()}`));
    const result = await runRole({ ...request, gates: ['env; exit 1'], maxRetries: 0 }, environment).result;
    const { output } = result.attempts[0]!.gates[0]!;
    expect(output).toContain('PATH=');
    expect(output).not.toContain('SECRET_TOKEN');
  });

  it('refuses gates of a repository that is not trusted, before anything is started', async () => {
    const { repository, environment, request } = runKit(scriptAgent('touch "$HOME/started"'));
    repository.write(
      '.loadout/roles/mine.yaml',
      'name: mine\nextends: implementer\ngates: [touch gate-ran]\nflags: [--fast]\n',
    );
    const refusal = runRole({ ...request, role: 'mine' }, environment).result;
    await expect(refusal).rejects.toMatchObject({
      code: 'not-trusted',
      hint: expect.stringContaining('loadout trust'),
    });
    expect(existsSync(join(repository.home, 'started'))).toBe(false);
    const flags: (readonly string[])[] = [];
    const agent = scriptAgent('cat > /dev/null');
    const start: typeof agent.start = (options) => {
      flags.push(options.flags);
      return agent.start(options);
    };
    const findAgent = () => ({ adapter: { ...agent, start }, readVersion: async () => '1.0.0' });
    const trusting = {
      ...environment,
      findAgent,
      readTrust: async (root: SafeRoot) => ({ root, isTrusted: true }),
    };
    const result = await runRole({ ...request, role: 'mine', maxRetries: 0 }, trusting).result;
    expect(result.reason).toBe('answer-refused');
    expect(flags.map((one) => one.at(-1))).toEqual(['--fast']);
  });
});

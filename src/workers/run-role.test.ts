import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NamedWorker } from '../agents/agent-worker.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import { GOOD_ANSWER, runKit, say, scriptAgent, userState } from './run.test-kit.ts';
import { createRunEnvironment } from './run-environment.ts';
import type { RunEvent } from './run-record.ts';
import type { RunEnvironment } from './run-request.ts';
import { runRole } from './run-role.ts';

const CHANGES = `cat > /dev/null; echo changed > a.txt; echo new > new.txt; mkdir -p ignored; echo x > ignored/y;`;

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

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

  it('gives the agent and its gates a folder for temporary files, which is removed with the run', async () => {
    const script = `cat > /dev/null; file=$(mktemp) && echo x > "$file"; echo "$file" > "$HOME/where"; ${say()}`;
    const { repository, environment, request } = runKit(scriptAgent(script));
    const gates = ['test -n "$(ls "$TMPDIR")"', '! git -C "$TMPDIR" rev-parse'];
    const { outcome } = await runRole({ ...request, gates }, environment).result;
    expect(outcome).toBe('passed');
    const where = readFileSync(join(repository.home, 'where'), 'utf8').trim();
    expect(where.startsWith(`${repository.cache}/tmp/`)).toBe(true);
    expect(readdirSync(join(repository.cache, 'tmp'))).toEqual([]);
  });

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

  it('names the files that the worker did not see, staged or not', async () => {
    const { repository, environment, request } = runKit(scriptAgent(`cat > /dev/null; ${say()}`));
    repository.write('a.txt', 'mine\n');
    repository.write('staged.txt', 'mine\n');
    repository.git('add', 'staged.txt');
    const said = async (staged: boolean) => {
      const { diagnostics } = await runRole({ ...request, staged }, environment).result;
      return diagnostics.map(({ message }) => message);
    };
    expect(await said(false)).toEqual([
      '2 changed files are not committed: the worker started from the last commit',
    ]);
    expect(await said(true)).toEqual([
      '1 changed file is not staged: the worker started from what is staged',
    ]);
  });

  it('does not wait for a version that never comes, and ends the process that was asked', async () => {
    const { environment, request } = runKit(scriptAgent(`cat > /dev/null; ${say()}`));
    let isEnded = false;
    const readVersion = (signal?: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal?.addEventListener('abort', () => {
          isEnded = true;
          reject(new Error('ended'));
        });
      });
    const { adapter } = environment.findAgent('claude', request.repository);
    const slow = { ...environment, findAgent: () => ({ adapter, readVersion }) };
    expect(await runRole(request, slow).result).toMatchObject({ outcome: 'passed', cliVersion: null });
    expect(isEnded).toBe(true);
  });

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

  it.each([
    [
      'a linked work tree',
      'git worktree add -q ../there; mkdir ../elsewhere; git worktree move ../there ../elsewhere/it',
      '../elsewhere/it',
    ],
    [
      'a submodule',
      'git init -q ../top; git -C ../top -c protocol.file.allow=always submodule --quiet add "$PWD" sub',
      '../top/sub',
    ],
    ['a shallow clone', 'git clone -q --depth 1 "file://$PWD" ../clone', '../clone'],
    ['a clone with borrowed objects', 'git clone -q --shared . ../clone', '../clone'],
    [
      'SHA-256',
      'git init -q --object-format=sha256 ../clone; cp -r a.txt b .gitignore ../clone; git -C ../clone add -A; git -C ../clone commit -qm x',
      '../clone',
    ],
    [
      'a sparse checkout',
      'git clone -q . ../clone; git -C ../clone sparse-checkout set --cone b',
      '../clone',
    ],
    ['a split index', 'git clone -q . ../clone; git -C ../clone config core.splitIndex true', '../clone'],
    ['a path with a line end and a quotation mark', 'git clone -q . "../clo\nne \\"x\\""', '../clo\nne "x"'],
  ])('works in %s, and the agent has a git that works', async (_, make, folder) => {
    const script = `cat > /dev/null; git status --porcelain > "$HOME/status"; git log --format=%s -1 > "$HOME/log"; git branch -a > "$HOME/branches"
      git cat-file -p HEAD:a.txt > "$HOME/a"; echo changed > b/c.txt; git -c user.name=T -c user.email=t@e commit -qam mine && git fsck --no-dangling > "$HOME/fsck" 2>&1; ${say()}`;
    const { repository, environment, request } = runKit(scriptAgent(script));
    const env = {
      ...process.env,
      HOME: repository.home,
      GIT_AUTHOR_NAME: 'T',
      GIT_AUTHOR_EMAIL: 't@e',
      GIT_COMMITTER_NAME: 'T',
      GIT_COMMITTER_EMAIL: 't@e',
    };
    execFileSync('sh', ['-c', make.replaceAll('\\n', '\n')], { cwd: repository.path, env, stdio: 'pipe' });
    const path = join(repository.path, folder);
    const listed = () => readdirSync(path, { recursive: true }).sort().join('\n');
    const before = listed();
    const result = await runRole(
      { ...request, repository: path, gates: ['grep changed b/c.txt'] },
      environment,
    ).result;
    expect(result).toMatchObject({ outcome: 'passed', changedFiles: ['b/c.txt'] });
    expect(result.diagnostics.map(({ code }) => code)).not.toContain('repository-changed');
    const told = (name: string) => readFileSync(join(repository.home, name), 'utf8');
    expect(told('status')).toBe('');
    expect(told('log')).not.toBe('');
    expect(told('branches')).toMatch(/main|master|there/);
    expect(told('a')).toBe('one\n');
    expect(told('fsck')).not.toMatch(/missing|broken|error/);
    const isOurs = (name: string) => /^\.loadout|^\.git\/objects/.test(name);
    expect(
      listed()
        .split('\n')
        .filter((name) => !isOurs(name)),
    ).toEqual(before.split('\n').filter((name) => !isOurs(name)));
  });

  it('works in a new clone at the path of an old one', async () => {
    const { repository, environment, request } = runKit(scriptAgent(`${CHANGES} ${say()}`));
    expect((await runRole(request, environment).result).outcome).toBe('passed');
    rmSync(join(repository.path, '.git'), { recursive: true });
    rmSync(join(repository.path, '.loadout'), { recursive: true });
    repository.write('other.txt', 'other\n');
    repository.git('init', '--quiet', '--initial-branch=main');
    repository.commit();
    const { outcome, changedFiles } = await runRole(request, environment).result;
    expect({ outcome, changedFiles }).toEqual({ outcome: 'passed', changedFiles: ['a.txt', 'new.txt'] });
  });

  it.each([
    ['passes', say(), {}, false],
    ['keeps its tree', `echo x > a.txt; ${say()}`, { keep: true }, false],
    ['crashes without an agent', say(), {}, true],
    ['fails', 'exit 1', { maxRetries: 0 }, false],
  ])('that %s has a lease at every moment until its end is written', async (_, script, more, isBroken) => {
    const { repository, environment, request } = runKit(scriptAgent(`cat > /dev/null; ${script}`));
    const runs = join(repository.path, '.loadout/runs');
    const moments: string[] = [];
    const look = (): void => {
      const run = (existsSync(runs) ? readdirSync(runs) : []).find((name) => /^\d{8}-/.test(name));
      if (run === undefined) return;
      const log = join(runs, run, 'events.jsonl');
      const isEnded = existsSync(log) && readFileSync(log, 'utf8').includes('"run-end"');
      const [place] = readdirSync(join(repository.cache, 'runs'));
      const leases = readdirSync(join(repository.cache, 'runs', place!, 'leases')).filter((name) =>
        name.endsWith('.json'),
      );
      moments.push(isEnded ? 'ended' : leases.length > 0 ? 'leased' : 'lost');
    };
    const watched: RunEnvironment = {
      ...environment,
      wallClockMs: () => {
        look();
        return environment.wallClockMs();
      },
      monotonicMs: () => {
        look();
        return environment.monotonicMs();
      },
      buildPrompt: (input) =>
        isBroken ? Promise.reject(new Error('no prompt')) : environment.buildPrompt(input),
    };
    const timer = setInterval(look, 1);
    await runRole({ ...request, ...more }, watched).result.catch(() => {});
    clearInterval(timer);
    look();
    expect(moments).toContain('leased');
    expect(moments).not.toContain('lost');
    expect(moments.at(-1)).toBe('ended');
  });

  it('shows gates no secrets', async () => {
    const { environment, request } = runKit(scriptAgent(`cat >/dev/null; ${say()}`));
    const result = await runRole({ ...request, gates: ['env; exit 1'], maxRetries: 0 }, environment).result;
    const { output } = result.attempts[0]!.gates[0]!;
    expect(output).toContain('PATH=');
    expect(output).not.toContain('SECRET_TOKEN');
  });

  it('ends at its timeout and at its deadline', async () => {
    const { environment, request } = runKit(scriptAgent('cat > /dev/null; sleep 60'));
    const slow = await runRole({ ...request, timeoutMs: 300, maxRetries: 1 }, environment).result;
    expect(slow.attempts.map(({ reason }) => reason)).toEqual(['agent-timed-out', 'agent-timed-out']);
    const late = await runRole({ ...request, deadlineMs: 700 }, environment).result;
    expect(late).toMatchObject({ outcome: 'timed-out', reason: 'deadline' });
    expect(late.durationMs).toBeLessThan(4000);
  });

  it('can be cancelled, and keeps the work', async () => {
    const { environment, request } = runKit(scriptAgent(`${CHANGES} sleep 60`));
    const handle = runRole(request, environment);
    for await (const { type } of handle.events) {
      if (type !== 'agent-start') continue;
      setTimeout(() => handle.cancel(), 300);
    }
    const result = await handle.result;
    expect(result).toMatchObject({ outcome: 'cancelled', keptTree: { why: 'cancelled' } });
    expect(readFileSync(join(result.keptTree!.path, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  it('stops calling an agent that fails again and again', async () => {
    const { environment, request } = runKit(scriptAgent('cat > /dev/null; exit 1'));
    for (let failures = 0; failures < 5; failures += 1) await runRole(request, environment).result;
    await expect(runRole(request, environment).result).rejects.toMatchObject({ code: 'breaker-open' });
    const later = { ...environment, wallClockMs: () => Date.now() + 61_000 };
    expect((await runRole(request, later).result).reason).toBe('agent-failed');
    await expect(runRole(request, later).result).rejects.toMatchObject({ code: 'breaker-open' });
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

import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runProcess } from './process-runner.ts';

const node = (script: string, options: Parameters<typeof runProcess>[2] = {}) =>
  runProcess(process.execPath, ['-e', script], options);

describe('runProcess', () => {
  it('gives exit code and both outputs', async () => {
    const result = await node(
      'process.stdout.write("out"); process.stderr.write("err"); process.exitCode = 3',
    );
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      stdout: Buffer.from('out'),
      stderr: Buffer.from('err'),
      outcome: 'exited',
      outputTruncated: false,
      omittedBytes: 0,
    });
  });

  it('passes arguments untouched by any shell', async () => {
    const args = ['$HOME', '`id`', '; exit 1', '*', ''];
    const result = await runProcess(process.execPath, [
      '-p',
      'JSON.stringify(process.argv.slice(1))',
      '--',
      ...args,
    ]);
    expect(JSON.parse(result.stdout.toString())).toEqual(args);
  });

  it('gives the whole environment, directory and input', async () => {
    const cwd = realpathSync(tmpdir());
    const script =
      'process.stdin.pipe(process.stdout); console.error(process.cwd(), Object.keys(process.env).sort().join())';
    const input = Buffer.alloc(300_000, 'in');
    const result = await node(script, { cwd, env: { ONLY: '1' }, input });
    expect(result.stdout.equals(input)).toBe(true);
    expect(result.stderr.toString()).toBe(`${cwd} ONLY\n`);
  });

  it('has no input when none is given', async () => {
    const result = await node('process.stdin.resume().on("end", () => console.log("end"))', {
      timeoutMs: 5000,
    });
    expect(result.stdout.toString()).toBe('end\n');
  });

  it('survives a child that does not read its input', async () => {
    const result = await runProcess('true', [], { input: Buffer.alloc(2_000_000) });
    expect(result).toMatchObject({ exitCode: 0, outcome: 'exited' });
  });

  it.each([['no-such-program-here'], ['/etc/passwd']])('says when %s cannot be run', async (command) => {
    const result = await runProcess(command, []);
    expect(result).toMatchObject({ outcome: 'not-found', exitCode: null });
    expect(result.stderr.toString()).not.toBe('');
  });

  it('refuses arguments no program can take', async () => {
    await expect(runProcess('true', ['a\0b'])).rejects.toMatchObject({ code: 'cannot-start-process' });
  });

  it('reports the signal that ended the child', async () => {
    expect(await node('process.kill(process.pid, "SIGTERM")')).toMatchObject({
      signal: 'SIGTERM',
      exitCode: null,
      outcome: 'exited',
    });
  });

  it('ends a child that takes too long, politely at first', async () => {
    const script =
      'process.on("SIGTERM", () => { console.log("bye"); process.exit(7) }); setInterval(() => {}, 1000); console.log("up")';
    const started = performance.now();
    const result = await node(script, { timeoutMs: 700 });
    expect(result).toMatchObject({ outcome: 'timed-out', exitCode: 7 });
    expect(result.stdout.toString()).toMatch(/^up\n/);
    expect(performance.now() - started).toBeLessThan(1700);
  });

  it('aborts on request, also when asked before the start', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const result = await node('setInterval(() => {}, 1000)', { signal: controller.signal });
    expect(result).toMatchObject({ outcome: 'aborted', signal: 'SIGTERM' });
    expect(await node('', { signal: controller.signal })).toMatchObject({
      outcome: 'aborted',
      exitCode: null,
    });
  });

  it('stops a flood at the limit, to the byte', async () => {
    const result = await node('for (;;) process.stdout.write("x".repeat(65536))', {
      maxOutputBytes: 100_000,
    });
    expect(result).toMatchObject({ outcome: 'output-limit', outputTruncated: true });
    expect(result.stdout.length + result.stderr.length).toBe(100_000);
  });

  it('accepts output of exactly the limit', async () => {
    const result = await node('process.stdout.write("x".repeat(5000))', { maxOutputBytes: 5000 });
    expect(result).toMatchObject({ outcome: 'exited', outputTruncated: false, exitCode: 0 });
  });

  it('keeps all output when this process is too busy to read it', async () => {
    const running = node('process.stdout.write("x".repeat(3_000_000))');
    const busy = setInterval(() => {
      const until = performance.now() + 400;
      while (performance.now() < until);
    }, 1);
    const result = await running;
    clearInterval(busy);
    expect(result.stdout.length).toBe(3_000_000);
  }, 60_000);

  it('does not wait for a process outside the group that holds the pipes', async () => {
    const script =
      'require("child_process").spawn("sleep", ["5"], { detached: true, stdio: "inherit" }).unref(); console.log("done")';
    const started = performance.now();
    const result = await node(script);
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: Buffer.from('done\n') });
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it.runIf(process.platform === 'linux')('does not wait for zombie processes', async () => {
    // Its child belongs to the group, and its parent has gone elsewhere and sleeps.
    const script = '( sleep 0.05 & exec setsid sleep 3 ) > /dev/null 2>&1 < /dev/null & sleep 0.2';
    const started = performance.now();
    const { exitCode, outcome } = await runProcess('sh', ['-c', script]);
    expect({ exitCode, outcome }).toEqual({ exitCode: 0, outcome: 'exited' });
    expect(performance.now() - started).toBeLessThan(850);
  });

  it('leaves no listener behind', async () => {
    const count = () =>
      process.listenerCount('exit') + process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
    const before = count();
    await Promise.all([node(''), node(''), runProcess('no-such-program-here', [])]);
    expect(count()).toBe(before);
  });
});

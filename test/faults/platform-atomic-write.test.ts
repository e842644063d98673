import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleScript } from '../security/support/bundle-script.ts';
import { temporaryDirectory } from '../security/support/temporary-directory.ts';

const WRITER = `
  import { writeFileAtomic } from './fs/atomic-file.ts';
  try {
    writeFileAtomic(process.argv[2]!, 'new'.repeat(100_000));
    process.stdout.write('written');
  } catch (error) {
    process.stdout.write(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));
  }
`;
const OLD = 'old content';
const NEW = 'new'.repeat(100_000);

async function writer(): Promise<{ folder: string; run: (...injections: string[]) => string }> {
  const work = temporaryDirectory();
  const script = await bundleScript(WRITER, join(work, 'writer.mjs'));
  const folder = temporaryDirectory();
  const target = join(folder, 'index');
  writeFileSync(target, OLD);
  // Node itself makes none of the injected calls while it starts.
  const run = (...injections: string[]): string => {
    const options = injections.flatMap((injection) => ['-e', `inject=${injection}`]);
    const args = ['-f', '-qq', '-o', '/dev/null', ...options, process.execPath, script, target];
    return spawnSync('strace', args, { encoding: 'utf8' }).stdout;
  };
  return { folder, run };
}

describe.skipIf(spawnSync('strace', ['-V']).status !== 0)('writeFileAtomic under faults (by strace)', () => {
  it.each(['fchmod:when=1', 'fsync:when=1', 'rename:when=1', 'fsync:when=2'])(
    'leaves the old or the new content when killed at %s',
    async (call) => {
      const { folder, run } = await writer();
      expect(run(`${call}:signal=SIGKILL`)).toBe('');
      expect([OLD, NEW]).toContain(readFileSync(join(folder, 'index'), 'utf8'));
      expect(run()).toBe('written');
      expect(readFileSync(join(folder, 'index'), 'utf8')).toBe(NEW);
    },
  );

  it.each([
    ['fchmod:error=EROFS:when=1', 'EROFS', 'read-only'],
    ['rename:error=EACCES:when=1', 'EACCES', 'permissions'],
    ['fsync:error=ENOSPC:when=1', 'ENOSPC', 'full'],
  ])('keeps the old content and says why: %s', async (injection, cause, hint) => {
    const { folder, run } = await writer();
    const report = JSON.parse(run(injection));
    expect(report).toMatchObject({
      code: 'cannot-write',
      message: `cannot write 300000 bytes to ${folder}/index (${cause})`,
    });
    expect(report.hint).toContain(hint);
    expect(readdirSync(folder)).toEqual(['index']);
    expect(readFileSync(join(folder, 'index'), 'utf8')).toBe(OLD);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'keeps the old content when the disk fills up half-way',
    async ({ skip }) => {
      const work = temporaryDirectory();
      const script = await bundleScript(WRITER, join(work, 'writer.mjs'));
      const mount = join(work, 'small');
      const command = `mkdir ${mount} && mount -t tmpfs -o size=128k tmpfs ${mount} && printf '${OLD}' > ${mount}/index && ${process.execPath} ${script} ${mount}/index; ls -A ${mount}; cat ${mount}/index`;
      const run = spawnSync('unshare', ['--mount', 'sh', '-c', command], { encoding: 'utf8' });
      skip(/unshare|mount:/.test(run.stderr), 'needs the right to mount');
      expect(run.stdout).toContain('(ENOSPC)');
      expect(run.stdout).toMatch(/\}index\nold content$/);
    },
  );
});

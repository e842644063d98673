import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const MANIFESTS = ['package.json', '.gitignore', '.gitattributes', 'roles.yaml', 'tsconfig.json', 'go.mod'];

async function listenOn(path: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return server;
}

describe.skipIf(process.platform === 'win32')('files that are not files', () => {
  it('are named as such, at once (64 FIFOs, 8 sockets, devices)', async () => {
    const path = temporaryDirectory();
    mkdirSync(join(path, 'src'));
    const fifos = [
      ...MANIFESTS,
      ...Array.from({ length: 64 - MANIFESTS.length }, (_, index) => `src/${index}.ts`),
    ];
    execFileSync('mkfifo', fifos, { cwd: path });
    const sockets = Array.from({ length: 8 }, (_, index) => `s${index}.py`);
    for (const name of sockets) await listenOn(join(path, name));
    const links = ['zero', 'tty', 'random', 'stdin'].map((device) => {
      symlinkSync(`/dev/${device}`, join(path, `${device}.json`));
      return `${device}.json`;
    });
    const root = openSafeRoot(path);
    const started = performance.now();
    const reasons = (names: readonly string[]) =>
      new Set(
        names
          .flatMap((name) => [root.read(name, 1e6), root.readHead(name, 512)])
          .map((outcome) => outcome.kind === 'skipped' && outcome.reason),
      );
    expect(reasons(fifos)).toEqual(new Set(['not-a-regular-file']));
    expect(reasons(sockets)).toEqual(new Set(['not-a-regular-file']));
    expect(reasons(links)).toEqual(new Set(['symlink']));
    expect(fifos.map((name) => root.list(name))).toEqual(fifos.map(() => null));
    expect(root.list('src')?.every((entry) => entry.type === 'other')).toBe(true);
    expect(openSafeRoot('/dev').read('zero', 100)).toMatchObject({ reason: 'not-a-regular-file' });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

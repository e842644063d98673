import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { grantTrust, readTrust } from '../../src/config/trust/read-trust.ts';
import { openRoles } from '../../src/context/roles/open-roles.ts';
import { openSafeRoot, type SafeRoot } from '../../src/platform/fs/safe-root.ts';
import { openSettings } from '../../src/surfaces/shared/open-settings.ts';

const ROLE = '.loadout/roles/theirs.yaml';
const role = (gate: string) => `name: theirs\nextends: implementer\ngates: [${gate}]\nflags: [--${gate}]\n`;
const CONFIG = 'loadout.config.json';
const settings = (folder: string) => JSON.stringify({ cacheDir: folder });

function trusted(files: Readonly<Record<string, string>>) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-race-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const repository = join(base, 'repository');
  const environment = { LOADOUT_CONFIG_DIR: join(base, 'config') };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const root = openSafeRoot(repository);
  const grant = async () => grantTrust(root, environment, await readTrust(root, environment));
  return { base, repository, environment, write, root, grant };
}

/** Writes the other text behind the back of every reader, right after the file was read. */
function flipping(root: SafeRoot, path: string, then: () => void): SafeRoot {
  const watch = <Outcome>(read: string, outcome: Outcome): Outcome => {
    if (read === path) then();
    return outcome;
  };
  return {
    ...root,
    read: (read, most) => watch(read, root.read(read, most)),
    readHead: (read, most) => watch(read, root.readHead(read, most)),
  };
}

describe('a file that changes between the look at its trust and the look at its content', () => {
  it('runs only with the bytes that were trusted', async () => {
    const { root, environment, write, grant } = trusted({ [ROLE]: role('approved') });
    await grant();
    const repo = flipping(root, ROLE, () => write(ROLE, role('evil')));
    const loaded = await (await openRoles({ repo, environment })).load('theirs');
    expect(loaded.role).toMatchObject({ isTrusted: true, gates: ['approved'], flags: ['--approved'] });
  });

  it('is ignored when only the later read finds the trusted content', async () => {
    const { root, environment, write, grant } = trusted({ [ROLE]: role('approved') });
    await grant();
    write(ROLE, role('evil'));
    const repo = flipping(root, ROLE, () => write(ROLE, role('approved')));
    const loaded = await (await openRoles({ repo, environment })).load('theirs');
    expect(loaded.role).toMatchObject({ isTrusted: false, gates: [], withheld: { gates: ['evil'] } });
  });

  it('gains no file that was not there', async () => {
    const { root, environment, write, grant } = trusted({ [ROLE]: role('approved') });
    await grant();
    const repo = flipping(root, ROLE, () => write('.loadout/roles/new.yaml', role('evil')));
    expect((await openRoles({ repo, environment })).names()).not.toContain('new');
  });

  it('sets only the settings that were trusted', async () => {
    const { root, base, environment, write, grant } = trusted({ [CONFIG]: settings('/approved') });
    await grant();
    const repo = flipping(root, CONFIG, () => write(CONFIG, settings('/evil')));
    const loaded = await openSettings({ cwd: base, env: environment }, { config: '' }, {}, repo);
    expect(loaded.settings.cacheDir).toBe('/approved');
  });

  it('holds against a real writer that never rests', { timeout: 60_000 }, async () => {
    const { base, repository, environment, grant } = trusted({ [ROLE]: role('approved') });
    await grant();
    const writer = new Worker(
      `const { writeFileSync, renameSync } = require('node:fs');
       const { file, next, texts } = require('node:worker_threads').workerData;
       for (let at = 0; ; at += 1) { writeFileSync(next, texts[at % 2]); renameSync(next, file); }`,
      {
        eval: true,
        workerData: {
          ...{ file: join(repository, ROLE), next: join(base, 'next') },
          texts: [role('evil'), role('approved')],
        },
      },
    );
    onTestFinished(async () => void (await writer.terminate()));
    const seen = { trusted: 0, withheld: 0 };
    for (let run = 0; run < 400; run += 1) {
      const { role: loaded } = await (await openRoles({ repo: repository, environment })).load('theirs');
      expect(loaded.gates).not.toContain('evil');
      expect(loaded.flags).not.toContain('--evil');
      seen[loaded.isTrusted ? 'trusted' : 'withheld'] += 1;
    }
    expect(Math.min(seen.trusted, seen.withheld)).toBeGreaterThan(0);
  });
});

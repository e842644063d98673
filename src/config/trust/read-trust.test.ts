import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { grantTrust, readTrust, revokeTrust, trustDiagnostics } from './read-trust.ts';

function setUp(files: Readonly<Record<string, string>> = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-trust-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const repository = join(base, 'repository');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  mkdirSync(repository);
  for (const [path, text] of Object.entries(files)) write(path, text);
  const env = { LOADOUT_CONFIG_DIR: join(base, 'config') };
  const read = () => readTrust(openSafeRoot(repository), env);
  const grant = async () => grantTrust(openSafeRoot(repository), env, await read());
  return { base, repository, env, write, read, grant };
}

const ROLE = '.loadout/roles/reviewer.yaml';

describe('trust', () => {
  it('exists only after the user has granted it', async () => {
    const { read, grant } = setUp({ [ROLE]: 'gates: [make]' });
    expect(await read()).toMatchObject({ isTrusted: false, reason: 'never' });
    await grant();
    expect(await read()).toMatchObject({ isTrusted: true, reason: 'trusted' });
  });

  it('ends with one changed byte of a role, a guideline or the config file', async () => {
    for (const path of [ROLE, '.loadout/guidelines/own.yaml', 'loadout.config.yaml', '.loadout/other/x']) {
      const { repository, read, grant } = setUp({ [path]: 'a: 1' });
      await grant();
      appendFileSync(join(repository, path), ' ');
      const state = await read();
      expect(state).toMatchObject({ isTrusted: false, reason: 'changed', changes: [path] });
      expect(trustDiagnostics(state)[0]?.message).toContain(path);
    }
  });

  it('ends with a file that is new, gone, renamed or a link', async () => {
    const changes: ((repository: string) => void)[] = [
      (repository) => writeFileSync(join(repository, 'loadout.config.json'), '{}'),
      (repository) => rmSync(join(repository, ROLE)),
      (repository) => renameSync(join(repository, ROLE), join(repository, '.loadout/roles/other.yaml')),
      (repository) => symlinkSync('/etc/hosts', join(repository, '.loadout/roles/link.yaml')),
      (repository) => {
        renameSync(join(repository, '.loadout'), join(repository, 'elsewhere'));
        symlinkSync('elsewhere', join(repository, '.loadout'));
      },
    ];
    for (const change of changes) {
      const { repository, read, grant } = setUp({ [ROLE]: 'a: 1' });
      await grant();
      change(repository);
      expect((await read()).reason).toBe('changed');
    }
  });

  it('does not end with what Loadout writes itself, nor with other files', async () => {
    const { write, read, grant } = setUp({ [ROLE]: 'a: 1' });
    await grant();
    for (const path of [
      '.loadout/runs/1/log',
      '.loadout/loop/tree.json',
      '.loadout/ast-context/a.json',
      'a.ts',
    ])
      write(path, 'new');
    expect((await read()).isTrusted).toBe(true);
  });

  it('is bound to the place: a copy elsewhere is not trusted, nor is another repository in its place', async () => {
    const { base, repository, env, write, read, grant } = setUp({ [ROLE]: 'a: 1' });
    await grant();
    renameSync(repository, join(base, 'moved'));
    expect((await readTrust(openSafeRoot(join(base, 'moved')), env)).reason).toBe('never');
    mkdirSync(repository);
    write(ROLE, 'a: 2');
    expect((await read()).reason).toBe('changed');
  });

  it('is the same through a link to the repository', async () => {
    const { base, repository, env, grant } = setUp({ [ROLE]: 'a: 1' });
    await grant();
    symlinkSync(repository, join(base, 'link'));
    expect((await readTrust(openSafeRoot(join(base, 'link')), env)).isTrusted).toBe(true);
  });

  it('can be revoked, and leaves no half-written file behind', async () => {
    const { repository, env, read, grant } = setUp({ [ROLE]: 'a: 1' });
    const path = await grant();
    expect(await revokeTrust(openSafeRoot(repository), env)).toBe(true);
    expect((await read()).reason).toBe('never');
    expect(await revokeTrust(openSafeRoot(repository), env)).toBe(false);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  it('cannot be brought along by the repository', async () => {
    const { repository, grant, write } = setUp({ [ROLE]: 'a: 1' });
    const path = await grant();
    const inside = { LOADOUT_CONFIG_DIR: join(repository, 'home') };
    write(`home/trust/${path.slice(dirname(path).length + 1)}`, readFileSync(path, 'utf8'));
    const root = openSafeRoot(repository);
    expect((await readTrust(root, inside)).isTrusted).toBe(false);
    await expect(grantTrust(root, inside, await readTrust(root, inside))).rejects.toMatchObject({
      code: 'trust-inside-repository',
    });
  });

  it('does not believe a record that is broken or of another repository', async () => {
    const { read, grant } = setUp({ [ROLE]: 'a: 1' });
    const path = await grant();
    const record = readFileSync(path, 'utf8');
    const forgeries = ['', '{', 'null', '[]', record.replace('repository"', 'repo"'), record.slice(0, -9)];
    for (const text of [...forgeries, record.replace(/\/repository"/, '/other"')]) {
      writeFileSync(path, text);
      expect((await read()).reason).toBe('never');
    }
  });

  it('is not given to what changed while the user looked at it', async () => {
    const { repository, env, write, read } = setUp({ [ROLE]: 'a: 1' });
    const shown = await read();
    write(ROLE, 'a: 2');
    await expect(grantTrust(openSafeRoot(repository), env, shown)).rejects.toMatchObject({
      code: 'trust-changed',
    });
  });

  it('is not given to more files than a person could look through', async () => {
    const { repository, write, read, grant } = setUp({ '.loadout/large': '' });
    writeFileSync(join(repository, '.loadout/large'), Buffer.alloc(17 * 1024 * 1024));
    expect((await read()).digest).toBe('');
    await expect(grant()).rejects.toMatchObject({ code: 'too-much-to-trust' });
    rmSync(join(repository, '.loadout/large'));
    for (let at = 0; at < 1_001; at += 1) write(`.loadout/many/${at}`, '');
    await expect(grant()).rejects.toMatchObject({ code: 'too-much-to-trust' });
  });

  it('gives different digests to different files, however names and bytes are spread', async () => {
    const files = fc.dictionary(fc.stringMatching(/^[a-c]{1,3}$/), fc.string({ maxLength: 6 }), {
      maxKeys: 4,
      noNullPrototype: true,
    });
    const digestOf = async (content: Readonly<Record<string, string>>) => {
      const named = Object.entries(content).map(([name, text]) => [`.loadout/${name}`, text]);
      const base = mkdtempSync(join(tmpdir(), 'loadout-trust-'));
      try {
        mkdirSync(join(base, '.loadout'));
        for (const [path, text] of named) writeFileSync(join(base, path!), text!);
        return (await readTrust(openSafeRoot(base), { LOADOUT_CONFIG_DIR: '/nowhere' })).digest;
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    };
    const sorted = (content: Readonly<Record<string, string>>) =>
      JSON.stringify(Object.entries(content).sort(([left], [right]) => (left < right ? -1 : 1)));
    await fc.assert(
      fc.asyncProperty(files, files, async (one, other) => {
        const isSame = sorted(one) === sorted(other);
        expect((await digestOf(one)) === (await digestOf(other))).toBe(isSame);
      }),
      { numRuns: 60 },
    );
  });
});

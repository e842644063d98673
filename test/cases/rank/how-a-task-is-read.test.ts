import { describe, expect, it } from 'vitest';
import { analyzeTask, createLoadout } from '../../../src/index.ts';
import { runCli } from '../../support/run-cli.ts';
import { type TemporaryRepository, temporaryRepository } from '../../support/temporary-repository.ts';

const FILES = {
  'loadout.config.json': '{ "domains": { "src/billing": "P01", "src/shop": "P02" } }',
  'src/billing/limit.ts': 'export function applyLimit(total: number) {\n  return total;\n}\n',
  'src/shop/limit.ts': 'export function applyLimit(count: number) {\n  return count;\n}\n',
  'src/shop/cart.ts': 'export class Cart {\n  count = 0;\n}\n',
  'docs/notes.md': 'Nothing of interest.\n',
};
const TASK =
  'Fix applyLimit in `Cart`\n\nTraceback (most recent call last):\n  File "src/shop/cart.py", line 3, in add\n';

function run({ path, cache }: TemporaryRepository, ...args: string[]) {
  return runCli(args, { cwd: path, cache });
}

describe('how a task is read', () => {
  it('is part of a ranking as data', async () => {
    const { stdout } = await run(temporaryRepository(FILES), 'rank', TASK, '--json');
    const { analysis } = JSON.parse(stdout);
    expect(Object.keys(analysis)).toEqual(['action', 'domains', 'paths', 'symbols', 'frames', 'keywords']);
    expect(analysis).toMatchObject({
      action: 'fix',
      domains: expect.arrayContaining(['P02']),
      symbols: expect.arrayContaining([expect.objectContaining({ name: 'Cart', form: 'backtick' })]),
      frames: [{ path: 'src/shop/cart.py', line: 3, symbol: 'add', depth: 0 }],
      keywords: expect.arrayContaining([{ word: expect.any(String), weight: expect.any(Number) }]),
    });
  });

  it('is null where the text does not say', async () => {
    const { stdout } = await run(temporaryRepository(FILES), 'rank', 'Cart limit', '--json');
    expect(JSON.parse(stdout).analysis.action).toBeNull();
  });

  it.each(['rank', 'pack'])('is shown by %s --explain', async (command) => {
    const repository = temporaryRepository(FILES);
    const explained = await run(repository, command, TASK, '--explain');
    expect(explained.stdout).toMatch(/^the task was read as\n {2}action {4}fix\n {2}domains {3}.*P02/);
    expect(explained.stdout).toMatch(/\n {2}frames {4}src\/shop\/cart\.py:3:add\n/);
    expect((await run(repository, command, 'Cart limit', '--explain')).stdout).toMatch(
      /action {4}not said\n/,
    );
    expect((await run(repository, command, TASK)).stdout).not.toContain('the task was read as');
  });

  it('can be had in a program', () => {
    const analysis = analyzeTask('Explain src/shop/cart.ts', {
      domains: new Map([['P02', ['src/shop']]]),
    });
    expect(analysis).toMatchObject({ action: 'explain', domains: ['P02'] });
    expect(analysis.paths[0]).toMatchObject({ path: 'src/shop/cart.ts', line: null });
    expect(Object.isFrozen(analysis)).toBe(true);
    expect(() => analyzeTask(undefined as unknown as string)).toThrow(
      'analyzeTask: text is missing; it must be a text',
    );
  });
});

describe('a domain that is named', () => {
  const first = (stdout: string) => JSON.parse(stdout).files[0];

  it('favours the files below its prefixes', async () => {
    const repository = temporaryRepository(FILES);
    const task = 'Change applyLimit';
    for (const [domain, path] of [
      ['P02', 'src/shop/limit.ts'],
      ['src/shop', 'src/shop/limit.ts'],
    ] as const) {
      const { stdout } = await run(
        repository,
        'rank',
        task,
        '--domain',
        domain,
        '--min-relevance',
        '0',
        '--json',
      );
      const { analysis } = JSON.parse(stdout);
      expect([first(stdout).path, analysis.domains[0]]).toEqual([path, domain]);
      expect(stdout).toMatch(/it is in src\/\w+ of the domain that was named/);
    }
    const packed = await run(repository, 'pack', task, '--domain', 'P01', '--json');
    expect(JSON.parse(packed.stdout).items[0].path).toBe('src/billing/limit.ts');
  });

  it('ranks its files above stronger matches elsewhere, and gives that as the first reason', async () => {
    const session = (name: string) =>
      `/** A session expires: its expiry. */\nexport function expire${name}Session(session: string) {\n  return session; // early expiry\n}\n`;
    const repository = temporaryRepository({
      'loadout.config.json': '{ "domains": { "src/auth": "auth" } }',
      'src/sessions/expire.ts': session('Base'),
      'src/sessions/session-file.ts': session('File'),
      'src/auth/backend.ts':
        '/** The session of a user expires. */\nexport function expireLogin(session: string) {\n  return session;\n}\n',
      'src/auth/hashers.ts': 'export function hash(text: string) {\n  return text;\n}\n',
      'src/mail/send.ts': 'export function send(text: string) {\n  return text;\n}\n',
    });
    const ranked = async (...flags: string[]) => {
      const { stdout } = await run(repository, 'rank', 'Sessions expire too early', '--json', ...flags);
      return JSON.parse(stdout).files as { path: string; reasons: string[] }[];
    };
    expect((await ranked())[0]!.path).toBe('src/sessions/expire.ts');
    const files = await ranked('--domain', 'auth');
    expect(files[0]!.path).toBe('src/auth/backend.ts');
    expect(files[0]!.reasons[0]).toBe('it is in src/auth of the domain that was named');
    expect(files.map(({ path }) => path)).toContain('src/sessions/expire.ts');
  });

  it('can be named in a program', async () => {
    const repository = temporaryRepository(FILES);
    const settings = { cacheDir: repository.cache, domains: { 'src/billing': 'P01', 'src/shop': 'P02' } };
    const loadout = await createLoadout({ repo: repository.path, settings });
    for (const domain of ['P01', 'P02']) {
      const { files, analysis } = await loadout.rank({ task: 'Change applyLimit', domain });
      const pack = await loadout.pack({ task: 'Change applyLimit', domain });
      const folder = domain === 'P01' ? 'src/billing' : 'src/shop';
      expect([analysis.domains[0], analysis.places]).toEqual([domain, [folder]]);
      expect([files[0]!.path, pack.items[0]!.path]).toEqual([`${folder}/limit.ts`, `${folder}/limit.ts`]);
    }
  });

  it.each(['rank', 'pack'])(
    'and that is not known is an error of %s which lists the known ones',
    async (command) => {
      const { exitCode, stderr } = await run(
        temporaryRepository(FILES),
        command,
        'Change it',
        '--domain',
        'P09',
      );
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/unknown domain "P09"\nhint: known here: P01, P02, docs, src/);
    },
  );
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '../../config/settings.ts';
import * as library from '../../index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import * as session from '../../session/index.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-arguments-')));
const path = join(home, 'repository');
const settings = { cacheDir: join(home, 'cache'), parseWorkers: 1 };
beforeAll(() => {
  mkdirSync(path);
  writeFileSync(join(path, 'a.ts'), 'export const a = 1;\n');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Says what a call comes to; only an error of ours, or none, is allowed. */
async function outcome(call: () => unknown): Promise<Error | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** The functions of a module, and the methods of what it opens. Errors and schemas are data. */
async function functionsOf(): Promise<ReadonlyMap<string, (...given: unknown[]) => unknown>> {
  const found = new Map<string, (...given: unknown[]) => unknown>();
  const isClass = (value: unknown) => /^class\b/.test(String(value));
  const add = (prefix: string, owner: object) => {
    for (const [name, value] of Object.entries(owner))
      if (typeof value === 'function' && !isClass(value))
        found.set(`${prefix}${name}`, value as (...given: unknown[]) => unknown);
  };
  add('', library);
  add('session.', session);
  const loadout = await library.createLoadout({ repo: path, settings });
  add('loadout.', { pack: loadout.pack, rank: loadout.rank });
  add('packer.', library.createContextPacker({ repo: path, settings }));
  add('roles.', await library.openRoles({ repo: path, environment: {} }));
  const builder = new session.ContextBuilder();
  add('builder.', { build: (state: never) => builder.build(state) });
  found.set('new ContextBuilder', (options) => new session.ContextBuilder(options as never));
  found.set('new LeanAgent', (options) => new session.LeanAgent(options as never));
  found.set('new ContextPolicy', (options) => new session.ContextPolicy(options));
  // they write to the folder that they are given
  for (const name of ['openFileStore', 'openLogStore', 'openAppendFile']) {
    const open = found.get(`session.${name}`)!;
    found.set(`session.${name}`, (place, options) =>
      typeof place === 'string' ? null : open(place, options),
    );
  }
  return found;
}

describe('wrong arguments of the library', () => {
  it('never end in a TypeError, whatever function they are given to', async () => {
    const functions = await functionsOf();
    expect(functions.size).toBeGreaterThan(45);
    const names = [...functions.keys()];
    // values of any sort, and objects with the names that requests use
    const field = fc.constantFrom(
      ...['task', 'repo', 'role', 'targets', 'allow', 'settings', 'stores', 'change', 'since', 'mode'],
      ...['focus', 'store', 'policy', 'messages', 'requests', 'results', 'plan', 'name', 'text', 'model'],
    );
    const value = fc.oneof(
      fc.anything(),
      fc.constant(path),
      fc.dictionary(field, fc.oneof(fc.anything(), fc.constant(path), fc.constant([{}]))),
    );
    const isOurs = (error: Error | null) => error === null || error instanceof LoadoutError;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.array(value, { maxLength: 4 }), async (name, given) => {
        const error = await outcome(() => functions.get(name)!(...given));
        expect(isOurs(error), `${name}(${fc.stringify(given)}): ${error?.stack}`).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  }, 120_000);

  it.each([
    ['pack', undefined, 'pack: options must be an object, not undefined'],
    ['pack', {}, 'pack: task is missing; it must be a text'],
    ['pack', { task: 5 }, 'pack: task must be a text, not 5'],
    ['pack', { task: 'x', targets: 'x' }, 'pack: targets must be a list of texts, not "x"'],
    ['pack', { task: 'x', role: 5 }, 'pack: role must be a text or null, not 5'],
    ['pack', { task: 'x', allow: 'x' }, 'pack: allow must be a function, not "x"'],
    ['pack', { task: 'x', tagets: [] }, 'pack: there is no option "tagets"; did you mean targets?'],
    ['pack', { task: 'x', format: 'pdf' }, 'pack: format must be one of markdown, xml, json, not "pdf"'],
    [
      'pack',
      { task: 'x', action: 'dance' },
      /^pack: action must be one of implement, .* or null, not "dance"$/,
    ],
    ['rank', {}, 'rank: task is missing; it must be a text'],
    ['rank', { task: 'x', role: 'nosuch' }, 'there is no role "nosuch"'],
    ['rank', { task: 'x', limit: 0 }, 'rank: limit must be a whole number, 1 or more, not 0'],
    [
      'rank',
      { task: 'x', stores: [{}] },
      'rank: stores must be a list of stores, each a KnowledgeStore, not a list of 1',
    ],
  ] as const)('%s(%j) is refused in words', async (name, request, message) => {
    const loadout = await library.createLoadout({ repo: path, settings });
    const error = await outcome(() => loadout[name](request as never));
    expect(error).toBeInstanceOf(LoadoutError);
    expect(error!.message).toMatch(message);
  });

  it.each([
    ['scan', () => library.scan(undefined as never), 'scan: options must be an object, not undefined'],
    [
      'scan with another mode',
      () => library.scan({ repo: path, settings, mode: 'weird' as 'full' }),
      'scan: mode must be one of full, incremental, not "weird"',
    ],
    ['map', () => library.map(undefined as never), 'map: options must be an object, not undefined'],
    [
      'changedFiles',
      () => library.changedFiles({ repo: path } as never),
      'changedFiles: since is missing; it must be a text',
    ],
    [
      'packTaskContext',
      () => library.packTaskContext({ task: 'x', action: 'dance' }, { repo: path }),
      /action must be one of implement, .* not "dance"/,
    ],
  ] as const)('%s is refused in words', async (_, call, message) => {
    const error = await outcome(call);
    expect(error).toBeInstanceOf(LoadoutError);
    expect(error!.message).toMatch(message);
  });
});

describe('wrong settings of the library', () => {
  it.each([
    [{ tokenBudget: 'x' }, 'settings: "x" is not a valid tokenBudget; allowed is a number of tokens'],
    [{ tokenBudget: -5 }, 'settings: -5 is not a valid tokenBudget'],
    [{ astWeight: -1 }, 'settings: -1 is not a valid astWeight; allowed is a number, 0 to 1000'],
    [{ astWeight: 0, semanticWeight: 0 }, 'astWeight and semanticWeight are both 0'],
    [{ include: [5] }, 'settings: [5] is not a valid include; allowed is a list of texts'],
    [{ minRelevance: 7 }, 'settings: 7 is not a valid minRelevance; allowed is a number, 0 to 1'],
    [{ domains: 5 }, 'settings: 5 is not a valid domains; allowed is names by key'],
    [{ scanMode: 'weird' }, 'settings: "weird" is not a valid scanMode; allowed is "incremental" or "full"'],
    [{ parseTimeout: Number.NaN }, 'is not a valid parseTimeout'],
    [{ tokenBuget: 5 }, 'there is no setting "tokenBuget"; did you mean tokenBudget?'],
    [5, 'settings must be an object, not 5'],
  ])('%j are refused in words', async (given, message) => {
    for (const call of [library.createLoadout, library.scan, library.map]) {
      const error = await outcome(() => call({ repo: path, settings: given as Partial<Settings> }));
      expect(error).toBeInstanceOf(LoadoutError);
      expect(error!.message).toContain(message);
    }
  });

  it('allows the values that a settings file allows; times are in milliseconds', async () => {
    const given = { include: 'a.*', tokenBudget: '30k', parseTimeout: 2_000, store: '' } as unknown;
    const { filesScanned } = await library.scan({
      repo: path,
      settings: { ...settings, ...(given as Partial<Settings>) },
    });
    expect(filesScanned).toBe(1);
  });
});

describe('wrong arguments of a session', () => {
  const store = session.openMemoryStore();
  it.each([
    [
      'a policy that is only data',
      () => new session.ContextBuilder({ store, policy: { max_items: 2 } as never }),
      'ContextBuilder: policy must be a ContextPolicy such as ContextPolicy.fromDict({ max_items: 10 }), not an object',
    ],
    [
      'no profiles',
      () => session.loadContextPolicy(undefined as never),
      'loadContextPolicy: sources is missing',
    ],
    [
      'profiles that are not texts',
      () => session.loadContextPolicy([{ text: 'x' }] as never),
      'loadContextPolicy: sources must be the path of a file, or a list of paths and of profiles { name, text }',
    ],
    [
      'no state',
      () => new session.ContextBuilder({ store }).build(undefined as never),
      'build: options must be an object, not undefined',
    ],
    [
      'a history that is a text',
      () => session.rewriteHistory('x' as never, store),
      'rewriteHistory: messages must be a list of messages, each an object, not "x"',
    ],
    [
      'a request without a selection',
      () => new session.ContextBuilder({ store }).build({ requests: [{ id: 'tr_1' }] as never }),
      'build: requests must be a list of requests, each { id, selection }, not a list of 1',
    ],
  ])('%s: refused in words', async (_, call, message) => {
    const error = await outcome(call);
    expect(error).toBeInstanceOf(LoadoutError);
    expect(error!.message).toContain(message);
  });

  it('one path as a text is a profile', async () => {
    const file = join(home, 'profile.yaml');
    writeFileSync(file, 'context_policy: {max_items: 3}\n');
    expect((await session.loadContextPolicy(file)).maxItems).toBe(3);
    await expect(session.loadContextPolicy(join(home, 'nowhere.yaml'))).rejects.toThrow(
      /nowhere\.yaml cannot be read/,
    );
  });
});

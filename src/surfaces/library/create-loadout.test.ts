import { expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { loadTokenCounter } from '../../context/fit/count-tokens.ts';
import { SHOP_FILES, SHOP_TASK } from '../../context/pack/pack-fixture.test-kit.ts';
import { createContextPacker } from '../../context/prompt/context-packer.ts';
import { estimateTokens } from '../../context/prompt/prompt-limits.ts';
import type { KnowledgeStore } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { MemorySnapshots, openMemoryStore } from '../../stores/memory/memory-store.ts';
import { createLoadout, type Package, type PackRequest } from './create-loadout.ts';
import { PromptBuilder, readPromptInputs, writeContext } from './run.ts';

it('refuses unknown values with an error that lists the allowed ones', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  const loadout = await createLoadout({ repo: path, settings: { cacheDir: cache, parseWorkers: 1 } });
  const wrong = { strategy: 'foo', format: 'pdf', role: 'nobody' } as const;
  for (const [name, value] of Object.entries(wrong)) {
    const request = { task: SHOP_TASK, [name]: value } as PackRequest;
    const refused = loadout.pack(request);
    await expect(refused).rejects.toBeInstanceOf(LoadoutError);
    await expect(refused).rejects.toThrow(value);
  }
  const pack = await loadout.pack({ task: SHOP_TASK });
  expect(() => pack.text('pdf' as 'xml')).toThrow(
    /format must be one of markdown, xml, json, summary, not "pdf"/,
  );
});

it('asks the stores that it is given, for rankings and packages', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  const loadout = await createLoadout({ repo: path, settings: { cacheDir: cache, parseWorkers: 1 } });
  const asked: string[] = [];
  const store = (name: string): KnowledgeStore => ({
    ...openMemoryStore(new MemorySnapshots(), 'team'),
    name,
    search: async ([query]) => {
      asked.push(`${name} ${query!.channel}`);
      throw new LoadoutError('store-unavailable', `${name} is down`);
    },
  });
  const ranking = await loadout.rank({ task: SHOP_TASK, stores: [store('first'), store('second')] });
  expect(asked).toEqual(['first lexical', 'second lexical']);
  expect(ranking.diagnostics.map(({ message }) => message).join()).toMatch(/first is down.*second is down/);
  await loadout.pack({ task: SHOP_TASK, stores: [store('third')] });
  expect(asked.at(-1)).toBe('third lexical');
});

it('functions of the library refuse a value of the wrong kind, and name it and the allowed values', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  const packer = createContextPacker({ repo: path, settings: { cacheDir: cache } });
  // As a program without types would call them.
  const [build, write, read, estimate, diff] = [
    (...given: unknown[]) => new PromptBuilder(...(given as [number])),
    writeContext as (...given: unknown[]) => unknown,
    readPromptInputs as (...given: unknown[]) => unknown,
    estimateTokens as (...given: unknown[]) => unknown,
    packer.getGitDiff as (...given: unknown[]) => Promise<unknown>,
  ];
  const bytes = 'a whole number of bytes, 0 or more';
  const calls: [() => unknown, string][] = [
    [() => build('x'), `budgetBytes must be ${bytes}, not "x"`],
    [() => build(Number.NaN), `budgetBytes must be ${bytes}, not NaN`],
    [() => build(-1), `budgetBytes must be ${bytes}, not -1`],
    [() => build(null), `budgetBytes must be ${bytes}, not null`],
    [() => write(), 'repo must be the path of a repository, not undefined'],
    [() => write({}), 'repo must be the path of a repository, not undefined'],
    [() => write({ repo: 5 }), 'repo must be the path of a repository, not 5'],
    [
      () => write({ repo: path, folder: [] }),
      'folder must be the path of a folder in the repository, not a list of 0',
    ],
    [() => read({ repo: '' }), 'repo must be the path of a repository, not ""'],
    [() => estimate(5), 'text must be a text, not 5'],
    [() => estimate(), 'text is missing; it must be a text'],
    [() => diff({ staged: 'x' }), 'staged must be true or false, not "x"'],
    [() => diff({ base: () => 1 }), 'base must be the name of a commit, branch or tag, not a function'],
    [() => diff('main'), 'options must be an object, not "main"'],
    [() => diff(null), 'options must be an object, not null'],
  ];
  for (const [call, message] of calls) {
    const refused = await (async () => call())().catch((error: unknown) => error);
    expect(refused, message).toBeInstanceOf(LoadoutError);
    expect(refused).toMatchObject({ code: 'bad-argument', message: expect.stringContaining(message) });
  }
  expect(build().budgetBytes).toBe(40_960);
  expect(await diff()).toBe('');
});

it('a role brings its restrictions and its budget', async () => {
  const role =
    'name: narrow\ndescription: d\nsystem_prompt: s\ncli: claude\ncontext: {path_restrictions: ["src/checkout/**"], token_budget: 1500}\n';
  const { path, cache } = temporaryRepository({ ...SHOP_FILES, '.loadout/roles/narrow.yaml': role });
  const loadout = await createLoadout({ repo: path, settings: { cacheDir: cache, parseWorkers: 1 } });
  const inRole = await loadout.pack({ task: SHOP_TASK, role: 'narrow' });
  const inNone = await loadout.pack({ task: SHOP_TASK });
  const paths = (pack: Package) => pack.items.map((item) => item.path);
  expect(paths(inNone)).toContain('src/auth/session.ts');
  expect(paths(inRole).filter((one) => one.startsWith('src/auth/'))).toEqual([]);
  expect(inRole.tokenBudget).toBe(1_500);
});

it('packs and ranks, several at once, and stops when closed', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  const settings = { tokenBudget: 3_000, cacheDir: cache, parseWorkers: 1, summaryMaxTokens: 120 };
  const loadout = await createLoadout({ repo: path, settings });
  const [pack, small, ranking] = await Promise.all([
    loadout.pack({ task: SHOP_TASK, role: 'implementer', targets: ['src/clock.ts'] }),
    loadout.pack({ task: SHOP_TASK, budget: '1k', format: 'xml', model: 'gpt-4' }),
    loadout.rank({ task: SHOP_TASK, limit: 2 }),
  ]);
  const count = await loadTokenCounter('o200k_base');
  expect(pack).toMatchObject({ role: 'implementer', targets: ['src/clock.ts'], tokenBudget: 3_000 });
  expect(pack.items[0]).toMatchObject({ path: 'src/clock.ts', form: 'full' });
  expect(count(pack.text())).toBe(pack.tokenCount);
  expect(pack.text('markdown')).toBe(pack.text());
  expect(JSON.parse(pack.text('json'))).toMatchObject({ id: pack.id });
  expect(count(pack.text('summary'))).toBeLessThanOrEqual(120);
  expect(pack.receipts.length).toBeGreaterThan(pack.items.length);
  expect(small).toMatchObject({ tokenBudget: 1_000, encoding: 'cl100k_base' });
  expect(small.text()).toMatch(/^<context_package>/);
  expect(ranking.files).toHaveLength(2);

  await expect(loadout.pack({ task: SHOP_TASK, signal: AbortSignal.abort() })).rejects.toThrow();
  await expect(loadout.pack({ task: SHOP_TASK, budget: 0 })).rejects.toMatchObject({ code: 'bad-budget' });
  const late = loadout.pack({ task: SHOP_TASK });
  loadout.close();
  await expect(late).rejects.toThrow();
  await expect(loadout.pack({ task: SHOP_TASK })).rejects.toMatchObject({ code: 'closed' });
});

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settingsFor } from '../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../test/support/temporary-repository.ts';
import { type AllRequest, packAll, packAllAsData } from './all.ts';
import { loadTokenCounter } from './fit/count-tokens.ts';
import { documentWriter, partsWriter } from './pack/all-document.ts';
import { SHOP_FILES } from './pack/pack-fixture.test-kit.ts';

function shop() {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  return async (tokenBudget: number, changes: Partial<AllRequest> = {}) => {
    let text = '';
    const settings = settingsFor(cache, { tokenBudget });
    const write = (piece: string | Buffer) => {
      text += piece.toString();
    };
    return {
      text: () => text,
      ...(await packAll({ repo: path, settings, writer: documentWriter(write), ...changes })),
    };
  };
}

it('packs every file whole when all fit, in order of their paths, and counts right', async () => {
  const build = shop();
  const count = await loadTokenCounter('o200k_base');
  const { text, items, omitted, tokenCount } = await build(100_000);
  expect(items.map(({ path }) => path)).toEqual(Object.keys(SHOP_FILES).sort());
  expect(new Set(items.map(({ form }) => form))).toEqual(new Set(['full']));
  expect(omitted).toEqual([]);
  expect(count(text())).toBe(tokenCount);
  expect(text()).toContain('## Files\n');
  for (const content of Object.values(SHOP_FILES)) expect(text()).toContain(content);
  const reread = await build(100_000, { mostKept: 0 });
  expect([reread.text(), reread.tokenCount]).toEqual([text(), tokenCount]);
  const signatures = await build(100_000, { form: 'signatures', format: 'xml' });
  expect(signatures.tokenCount).toBeLessThan(tokenCount);
  expect(signatures.text()).toMatch(/^<context_package>[\s\S]*<\/context_package>\n$/);
});

it('leaves out what changes between choosing and writing where nothing can be kept meanwhile', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  let text = '';
  const write = (piece: string | Buffer) => {
    if (text === '') writeFileSync(join(path, 'src/clock.ts'), 'changed\n');
    text += piece.toString();
  };
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'scratch'), 'in the way');
  const settings = settingsFor(cache, { tokenBudget: 100_000 });
  const request = { repo: path, settings, writer: documentWriter(write), mostKept: 0 };
  const { items, diagnostics } = await packAll(request);
  expect(items.map((item) => item.path)).not.toContain('src/clock.ts');
  expect(diagnostics.map(({ code }) => code)).toContain('file-changed');
});

it('writes the chosen text, whatever changes meanwhile', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  let text = '';
  const write = (piece: string | Buffer) => {
    if (text === '') writeFileSync(join(path, 'src/clock.ts'), 'changed\n');
    text += piece.toString();
  };
  const settings = settingsFor(cache, { tokenBudget: 100_000 });
  const { items } = await packAll({ repo: path, settings, writer: documentWriter(write), mostKept: 0 });
  expect(items.map((item) => item.path)).toContain('src/clock.ts');
  expect(text).not.toContain('changed\n');
  expect(readdirSync(join(cache, 'scratch'))).toEqual([]);
});

/** Names that say nothing, a `#!` line, other encodings, no text at all, and what only stands for a file. */
const ODD_FILES = {
  'bin/run': '#!/usr/bin/env python3\nprint(1)\n',
  'bin/blob': Buffer.from([0, 1, 2, 3, 0, 255]),
  'docs/latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]),
  'docs/wide.txt': Buffer.from('\ufeffwide\n', 'utf16le'),
  'docs/empty.md': '',
  'docs/no-end.md': 'no line end',
  'assets/film.txt': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
  'src/generated.js': '// @generated\nexport const a = 1;\n',
  'conf/settings.py': `SECRET_KEY = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z"\n`,
};

it.each(['markdown', 'xml'] as const)(
  'is the same %s with an index and without, and needs none when all fits',
  async (format) => {
    const { path, cache } = temporaryRepository({ ...SHOP_FILES, ...ODD_FILES });
    const settings = settingsFor(cache, { tokenBudget: 100_000 });
    const build = async (cutsFiles: boolean) => {
      let text = '';
      const writer = documentWriter((piece) => {
        text += piece.toString();
      });
      const summary = await packAll({
        repo: path,
        settings,
        format,
        lineNumbers: true,
        writer: { ...writer, cutsFiles },
      });
      return { text, ...summary };
    };
    const segments = () => {
      const index = join(cache, 'index');
      const names = existsSync(index) ? readdirSync(index, { recursive: true }).map(String) : [];
      return names.filter((name) => name.includes('segment'));
    };
    const listed = await build(false);
    expect(segments()).toEqual([]);
    const scanned = await build(true);
    expect(segments()).not.toEqual([]);
    expect(scanned).toEqual(listed);
    expect(listed.items.map((item) => item.path)).toContain('docs/latin.txt');
    expect(listed.items.map((item) => item.path)).not.toContain('bin/blob');
    expect(listed.text).not.toContain('git-lfs');
    expect(listed.text).toContain('[redacted: ');
  },
);

it('never has more tokens than the budget, and says what is left out', async () => {
  const build = shop();
  const count = await loadTokenCounter('o200k_base');
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12_000 }),
      fc.constantFrom('markdown', 'xml'),
      async (budget, format) => {
        const { text, items, omitted, tokenCount } = await build(budget, { format });
        expect(count(text())).toBe(tokenCount);
        expect(tokenCount).toBeLessThanOrEqual(budget);
        expect([...items.map(({ path }) => path), ...omitted].sort()).toEqual(Object.keys(SHOP_FILES).sort());
      },
    ),
    { numRuns: 25 },
  );
});

it('writes parts that are complete documents and together hold every line', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  const count = await loadTokenCounter('o200k_base');
  const parts: string[] = [];
  const writer = partsWriter({
    limit: 400,
    count,
    render: { format: 'markdown', lineNumbers: false },
    write: (part, text) => {
      parts[part - 1] = (parts[part - 1] ?? '') + text;
    },
  });
  await packAll({ repo: path, settings: settingsFor(cache, { tokenBudget: 100_000 }), writer });
  const summary = await writer.finish();
  expect(summary).toMatchObject({ parts: parts.length });
  expect(parts.length).toBeGreaterThan(1);
  for (const text of parts) expect(count(text)).toBeLessThanOrEqual(400);
  const all = parts.join('');
  for (const content of Object.values(SHOP_FILES))
    for (const line of content.split('\n')) expect(all).toContain(line);
});

it('is a package like any other as data, inside the budget', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  const count = await loadTokenCounter('o200k_base');
  for (const tokenBudget of [1, 300, 1_000, 2_500, 100_000]) {
    const settings = settingsFor(cache, { tokenBudget });
    const { pack, text } = await packAllAsData({ repo: path, settings });
    expect(pack.tokenCount).toBeLessThanOrEqual(tokenBudget);
    if (pack.items.length === 0) continue;
    expect(count(text)).toBe(pack.tokenCount);
    const data = JSON.parse(text);
    expect(data.items.map((item: { path: string }) => item.path)).toEqual(pack.items.map((one) => one.path));
  }
  const { pack } = await packAllAsData({
    repo: path,
    settings: settingsFor(cache, { tokenBudget: 100_000 }),
  });
  expect(pack.items.map((item) => item.path)).toEqual(Object.keys(SHOP_FILES).sort());
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CACHES } from './uninstall.ts';

const source = fileURLToPath(new URL('../..', import.meta.url));

/** The first name below the cache directory, wherever code puts a path together: with `join` or in a template. */
const PLACES = [
  /join\(\s*[\w.]*cacheDir(?:ectory)?(?:\([^)]*\))?,\s*(?:'(?<text>[^']+)'|`(?<start>[\w.-]+)|(?<name>[A-Z_]+))/g,
  /\$\{[\w.]*cacheDir(?:ectory)?\}\/(?:\$\{(?<name>[A-Z_]+)\}|(?<text>[\w.-]+))/g,
];

function cachePlaces(code: string): readonly string[] {
  return PLACES.flatMap((pattern) => [...code.matchAll(pattern)]).map(({ groups = {} }) => {
    const { text, start, name } = groups;
    if (name === undefined) return (text ?? start ?? '').split('/')[0]!;
    return new RegExp(`const ${name} = '([^'/]+)`).exec(code)?.[1] ?? `${name}, which is no text of its file`;
  });
}

it('knows every place under the cache directory that the source names', () => {
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test|\.test-kit|\.contract)\.ts$/.test(path))
    .flatMap((path) => cachePlaces(readFileSync(join(source, path), 'utf8')));
  expect([...new Set(found)].filter((name) => !CACHES.includes(name))).toEqual([]);
  // the search itself works: each way to write a path is found
  expect(found).toEqual(expect.arrayContaining(['runs', 'hook', 'breakers', 'index', 'server.json', 'code']));
});

it('would notice a new place', () => {
  expect(cachePlaces("join(cacheDirectory, 'fresh')")).toEqual(['fresh']);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
  expect(cachePlaces("const PLACE = 'new/deep';\n`${settings.cacheDir}/${PLACE}`")).toEqual(['new']);
});

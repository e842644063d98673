import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

function prompts(file: string): string[] {
  const lines = readFileSync(new URL(`${file}.txt`, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

it.each([
  ['nothing-needed', 160, 80],
  ['needs-code', 80, 40],
])('%s is split two to one', (name, dev, heldOut) => {
  expect(prompts(`${name}.dev`)).toHaveLength(dev);
  expect(prompts(`${name}.held-out`)).toHaveLength(heldOut);
});

it('no prompt is in two lists, or in one of them twice', () => {
  const files = ['nothing-needed', 'needs-code'].flatMap((name) => [`${name}.dev`, `${name}.held-out`]);
  const all = files.flatMap(prompts).map((prompt) => prompt.trim().toLowerCase());
  expect(new Set(all).size).toBe(all.length);
});

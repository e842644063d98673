import { expect, test } from 'vitest';
import { inheritByFolder } from './inherit-by-folder.ts';

test('each folder is worked out once, from the folder above', () => {
  const asked: string[] = [];
  const depth = inheritByFolder({ level: 0 }, (above, folder) => {
    asked.push(folder);
    return { level: above.level + 1 };
  });
  expect(['a/b/c', 'a/b/d', '', 'a', 'a/b/c', 'e'].map((folder) => depth(folder).level)).toEqual([
    3, 3, 0, 1, 3, 1,
  ]);
  expect(asked).toEqual(['a', 'a/b', 'a/b/c', 'a/b/d', 'e']);
});

test('a path deeper than the call stack', () => {
  const depth = inheritByFolder({ level: 0 }, (above) => ({ level: above.level + 1 }));
  expect(depth('d/'.repeat(20_000).slice(0, -1)).level).toBe(20_000);
});

test('more folders than are kept', () => {
  const depth = inheritByFolder({ level: 0 }, (above) => ({ level: above.level + 1 }));
  for (let i = 0; i < 100_100; i += 1) depth(`a/${i}`);
  expect(depth('a/1').level).toBe(2);
  expect(depth('').level).toBe(0);
});

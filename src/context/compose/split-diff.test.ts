import { expect, it } from 'vitest';
import { hunkSpans, numstatPaths, splitDiff } from './change.ts';

const PATCH = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -1,3 +1,4 @@ one
 same
+diff --git a/x b/x
-@@ -1 +1 @@
@@ -40 +41 @@
-old
+new
@@ -60,2 +61,0 @@
-gone
-gone
diff --git a/picture.png b/picture.png
Binary files a/picture.png and b/picture.png differ
`;

it('takes a patch apart by files, whatever their lines say', () => {
  const [text, picture, ...more] = splitDiff(PATCH);
  expect(more).toEqual([]);
  expect(text! + picture!).toBe(PATCH);
  expect(hunkSpans(text!)).toEqual([
    { startLine: 1, endLine: 4 },
    { startLine: 41, endLine: 41 },
    { startLine: 61, endLine: 61 },
  ]);
  expect(hunkSpans(picture!)).toEqual([]);
});

it('reads paths with renames and tabs in them', () => {
  expect(numstatPaths('1\t2\ta\tb.ts\0-\t-\tp.png\0' + '0\t0\t\0old.ts\0new.ts\0')).toEqual([
    'a\tb.ts',
    'p.png',
    'new.ts',
  ]);
  expect(numstatPaths('')).toEqual([]);
});

it('leaves out a rename that was cut off', () => {
  const whole = '1\t2\ta.ts\0' + '0\t0\t\0old.ts\0new.ts\0';
  for (let length = 9; length < whole.length; length++)
    expect(numstatPaths(whole.slice(0, length))).toEqual(['a.ts']);
  expect(numstatPaths(whole)).toEqual(['a.ts', 'new.ts']);
});

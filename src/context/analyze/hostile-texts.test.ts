import { describe, expect, it } from 'vitest';
import { analyzeTask } from './analyze-task.ts';

/** Milliseconds of processor time, the least of a few runs: others work on this machine as well. */
function cost(text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 8 && least > 45; run++) {
    const before = process.cpuUsage();
    analyzeTask(text);
    least = Math.min(least, process.cpuUsage(before).user / 1_000);
  }
  return least;
}

describe('large and hostile texts', () => {
  it.each([
    ...[
      'a.',
      '(',
      '`',
      '/',
      ':',
      ' ',
      '\\',
      '"',
      "'",
      '“',
      'a::',
      '#',
      '<!--',
      '```\n',
      '[',
      '](',
      '*',
      '-',
      '_',
      '=',
      'a/',
    ],
    ...[
      'a\\',
      'A\\B',
      'a(',
      'File "',
      'at a (',
      '#1 ',
      'x:1 ',
      ':1',
      '| ',
      '\n',
      '\r',
      '. ',
      'https://',
      'https://x/a/b/blob/c/',
    ],
    ...[
      'a@',
      '界',
      '\ud800',
      '\0',
      '1.',
      '- [ ] ',
      'Error: ',
      'panicked at ',
      './',
      'a.py:1: ',
      "'b ",
      'add docs ',
      'test fail ',
    ],
    ...['<img ', '![](', '**a', 'x==1.0 ', 'use a::', 'thanks for ', 'a = ', '{', '%4', 'a', 'A_'],
  ])('100 KB of %j takes less than 50 ms', (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    expect(cost(text)).toBeLessThan(50);
    expect(cost(text.replace(/[\s\S]{250}/g, '$&\n'))).toBeLessThan(50);
  });

  it('reads the head and the tail of a megabyte of log', () => {
    const log = Array.from(
      { length: 12_000 },
      (_, at) => `2024-01-31 10:00:00 INFO worker-${at} handled /api/items/${at}`,
    );
    const text = `Upload stops in src/upload.ts\n\n${log.join('\n')}\nOSError: disk_full_marker`;
    const analysis = analyzeTask(text);
    expect(text.length).toBeGreaterThan(600_000);
    expect(analysis.text).toBe(text);
    expect(analysis.title).toBe('Upload stops in src/upload.ts');
    expect(analysis.paths[0]?.path).toBe('src/upload.ts');
    expect(analysis.quotes.at(-1)).toEqual({ text: 'OSError: disk_full_marker', isError: true });
    expect(cost(text)).toBeLessThan(150);
  });

  it('survives bytes that are not text', () => {
    const bytes = Array.from({ length: 50_000 }, (_, at) => String.fromCharCode((at * 7_919) % 256)).join('');
    expect(analyzeTask(bytes).action).toBeDefined();
    expect(analyzeTask('\u0000\u0001\uffff\ufffd'.repeat(1_000)).keywords).toEqual([]);
  });

  it.each(['', '\n', 'the', '—', '\ufeff'])('has nothing to say about %j', (text) => {
    const { title: _, text: __, action, words: ___, ...rest } = analyzeTask(text);
    expect(action).toBeNull();
    expect(rest).toEqual({
      paths: [],
      symbols: [],
      frames: [],
      quotes: [],
      fences: [],
      keywords: [],
      about: { tests: 0, docs: 0, examples: 0 },
      domains: [],
      places: [],
    });
  });
});

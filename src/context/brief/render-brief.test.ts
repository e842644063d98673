import { describe, expect, it } from 'vitest';
import type { SourceReader } from '../compose/index.ts';
import type { BriefPlace } from './places.ts';
import { fitBrief } from './render-brief.ts';

const PLACES = Array.from({ length: 60 }, (_, at): BriefPlace => {
  const path = `${at % 3 === 0 ? 'lib' : 'src/http'}/file-${at % 11}.ts`;
  const name = `Token${at % 7}.renew${at}`;
  const lines = { startLine: at * 10 + 1, endLine: at * 10 + 9 };
  return {
    path,
    name,
    ...lines,
    likelihood: 1 / (at + 2),
    isMentioned: at % 5 === 0,
    why: 'named in the task',
  };
});
const FILES = [...new Set(PLACES.map(({ path }) => path))];

const LINES = Array.from({ length: 600 }, (_, at) => `  step(${at});`);
const sources: SourceReader = {
  read: (path) => ({
    ...{ path, file: null, text: LINES.join('\n'), lines: LINES, symbols: [], isStale: false },
    ...{ language: null, findings: [], imports: [] },
  }),
  fileAt: () => undefined,
};
const CALLERS = [{ path: 'src/main.ts', line: 3, uses: 'renew' }];

function textOf(maxChars: number): string {
  const content = { places: PLACES, files: FILES, tests: [], seen: new Set<string>(), sources };
  const callers = maxChars % 2 === 0 ? CALLERS : [];
  return fitBrief({ ...content, callers, verdict: 'full', maxChars }).text;
}

describe('the text of a brief', () => {
  it('fills every size of page to its last characters, and never more', () => {
    for (let maxChars = 300; maxChars < 1_500; maxChars++) {
      const { length } = textOf(maxChars);
      expect(length, `${maxChars}`).toBeGreaterThan(maxChars - 60);
      expect(length, `${maxChars}`).toBeLessThanOrEqual(maxChars);
    }
  });
});

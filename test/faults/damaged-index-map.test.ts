import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapRepository } from '../../src/context/map.ts';
import { PATIENT, SCALE, settingsFor } from '../support/scan-kit.ts';
import { temporaryRepository } from '../support/temporary-repository.ts';

const FILES = {
  'src/a.py': 'from b import beta\n\n\ndef alpha():\n    """Calls beta."""\n    return beta()\n',
  'src/b.py': 'class Box:\n    def open(self):\n        pass\n\n\ndef beta():\n    return Box()\n',
};

function segmentIn(cache: string): string {
  const names = readdirSync(cache, { recursive: true, encoding: 'utf8' });
  return join(cache, names.find((name) => name.endsWith('.segment'))!);
}

describe('the map of a damaged index', PATIENT, () => {
  it('is the same, wherever in a segment a byte has changed', async () => {
    const repository = temporaryRepository(FILES);
    const settings = settingsFor(repository.cache, { tokenBudget: 2000 });
    const map = () => mapRepository({ repo: repository.path, settings, focus: [] });
    const truth = await map();
    const whole = join(repository.home, 'whole');
    cpSync(repository.cache, whole, { recursive: true });
    let rebuilt = 0;
    for (let round = 0; round < 10 * SCALE; round++) {
      rmSync(repository.cache, { recursive: true });
      cpSync(whole, repository.cache, { recursive: true });
      const path = segmentIn(repository.cache);
      const bytes = readFileSync(path);
      const at = Math.floor(((round + Math.random()) / (10 * SCALE)) * bytes.length);
      bytes[at] = bytes[at]! ^ 1;
      writeFileSync(path, bytes);
      const { text, diagnostics } = await map();
      expect(text).toBe(truth.text);
      rebuilt += diagnostics.filter(({ code }) => code === 'index-rebuilt').length;
    }
    expect(rebuilt).toBeGreaterThan(5);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyzeTask } from '../../src/context/analyze/analyze-task.ts';
import { workTreeStore } from '../../src/context/rank/ask-about-text.ts';
import { TEXT_LOOKS, textSearches } from '../../src/context/rank/given-evidence.ts';
import { wordParts } from '../../src/model/word-parts.ts';
import { useIndex } from '../../src/scan/index-session.ts';
import { indexUpdate } from '../../src/stores/local/local-snapshot.ts';
import { settingsFor } from '../support/scan-kit.ts';
import { clusterUrls, freshTeam, hasCluster, openTestStore, TEST_INDEX } from './cluster-kit.ts';

const TASKS = [
  'Fix the token refresh race in the session',
  'How are import specifiers resolved to files?',
  'Add a setting for the time budget of embeddings',
  'compress segments of the index before they are written',
  'retry requests that were answered with 429 Too Many Requests',
  'rankFiles gives the wrong order for equal scores',
  'parse YAML front matter safely',
  'detect secrets in strings and comments',
  'git history shows which files change together',
  'TypeError: cannot read properties of undefined (reading startLine)',
];

describe.skipIf(!hasCluster())('the same questions to the index and to the cluster', () => {
  it('get the same files with the same scores', { timeout: 300_000 }, async () => {
    const cache = mkdtempSync(join(tmpdir(), 'loadout-store-'));
    const settings = settingsFor(cache, { include: ['src/**'], exclude: ['src/parse/**'] });
    const store = openTestStore(freshTeam());
    await useIndex({ repo: process.cwd(), mode: 'incremental', settings }, async (scan) => {
      const head = { repository: 'org/app', branch: 'main', commit: 'c', model: '' };
      await store.update(indexUpdate(scan.index, head));
      const local = workTreeStore(scan);
      const different: unknown[] = [];
      let shared = 0;
      let listed = 0;
      for (const task of TASKS) {
        const searches = textSearches(analyzeTask(task, { domains: new Map(), packages: [] }));
        const queries = TEXT_LOOKS.map((look) => ({
          channel: 'lexical' as const,
          ...searches[look],
          filter: {},
          limit: 10,
        }));
        const [here, there] = [await local.search(queries), await store.search(queries)];
        here.forEach((list, at) => {
          const scores = new Map(there[at]!.map(({ path, score }) => [path, score]));
          listed += list.length;
          for (const { path, score } of list) {
            if (!scores.has(path)) continue;
            shared++;
            const difference = Math.abs(scores.get(path)! - score) / score;
            if (difference >= 0.01)
              different.push({ task, look: TEXT_LOOKS[at], path, here: score, there: scores.get(path) });
          }
        });
      }
      expect(different).toEqual([]);
      expect(listed).toBeGreaterThan(200);
      expect(shared / listed).toBeGreaterThanOrEqual(0.9);
      process.stderr.write(`overlap of the first ten: ${(shared / listed).toFixed(4)} of ${listed}\n`);
    });
    await store.close();
    rmSync(cache, { recursive: true, force: true });
  });

  it('cut words into the same parts', async () => {
    const words = [
      ...[
        'parseHTTPHeaders2',
        'token_store',
        '__init__',
        'XMLHttpRequest',
        'a1b2',
        'größeX',
        'ÜberGröße',
        'snake_CASE',
      ],
      ...[
        'x',
        'X',
        '_',
        '___',
        'utf8_to_utf16',
        'iOS',
        'ΑΒγδ',
        'naïveBayes',
        'HTTP',
        'getX',
        'v10n',
        'éCole',
      ],
    ];
    for (const word of words) {
      const response = await fetch(`${clusterUrls()[0]}/${TEST_INDEX}/_analyze`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ analyzer: 'loadout_code', text: word }),
      });
      const { tokens } = (await response.json()) as { tokens: { token: string }[] };
      expect([word, ...tokens.map(({ token }) => token).sort()]).toEqual([word, ...wordParts(word).sort()]);
    }
  });
});

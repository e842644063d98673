import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { storesKind } from '../../src/config/stores-kind.ts';
import { SYNTHETIC_SECRETS, seededRandom } from '../../src/redact/synthetic-secrets.test-kit.ts';
import { useIndex } from '../../src/scan/index-session.ts';
import type { ScanStep } from '../../src/scan/run-scan.ts';
import { fillTeamStore } from '../../src/stores/team/fill-team-store.ts';
import { settingsFor } from '../support/scan-kit.ts';
import { temporaryRepository } from '../support/temporary-repository.ts';
import { clusterUrls, freshTeam, hasCluster, TEST_INDEX } from './cluster-kit.ts';

/** Everything that the index holds of a team, compressed lists unpacked. */
async function storedTexts(team: string): Promise<string> {
  const response = await fetch(`${clusterUrls()[0]}/${TEST_INDEX}/_search?size=10000`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: { term: { team } } }),
  });
  const { hits } = (await response.json()) as {
    hits: { hits: { _source: { page?: { data?: string } } }[] };
  };
  const pages = hits.hits.flatMap(({ _source: { page } }) =>
    page?.data ? [inflateRawSync(Buffer.from(page.data, 'base64')).toString()] : [],
  );
  expect(pages.length).toBeGreaterThan(0);
  return [JSON.stringify(hits), ...pages].join('\n');
}

/** The parts of a secret that would give it away, by themselves. */
const partsOf = (secret: string): readonly string[] =>
  secret.split(/[^A-Za-z0-9]+/).filter((part) => part.length >= 10);

describe.skipIf(!hasCluster())('a store that was filled from a repository with secrets', () => {
  it('holds none of them, wherever they were, and shows its progress', { timeout: 120_000 }, async () => {
    const random = seededRandom(11);
    const files: Record<string, string> = {};
    const secrets: string[] = [];
    for (const [kind, make] of Object.entries(SYNTHETIC_SECRETS)) {
      const name = kind.replace(/\W+/g, '-');
      const { line, secret, path } = make(random);
      files[path ? `${name}/${path}` : `${name}/main.py`] = `# settings of ${name}\n${line}\n`;
      secrets.push(secret);
    }
    const token = SYNTHETIC_SECRETS['github-token']!(random).secret;
    secrets.push(token);
    // where the index keeps more of a file than its words
    files['docs/heading.md'] = `# The old token ${token}\n\nIt is ${token}.\n`;
    files['src/doc.ts'] = `/** Use ${token} here. */\nexport function login(key = '${token}') {}\n`;
    files['src/import.ts'] =
      `import { a } from 'https://robot:${token}@code.example/mod.ts';\nexport { a };\n`;
    files['src/names.ts'] = `export const ${token} = 1;\n`;
    const { path, cache } = temporaryRepository(files);
    const team = freshTeam();
    const stores = storesKind.fromFile({ team: { url: clusterUrls(), team, index: TEST_INDEX } })!;
    const settings = settingsFor(cache, { store: 'team', stores });
    const steps: ScanStep[] = [];
    const report = await useIndex({ repo: path, mode: 'incremental', settings }, (scan) =>
      fillTeamStore(scan, { settings, onProgress: (step) => steps.push(step) }),
    );
    expect(report.sent).toBe(Object.keys(files).length);
    expect(steps.at(-1)).toEqual({ label: 'sending files to team', done: report.sent, total: report.sent });

    const stored = (await storedTexts(team)).toLowerCase();
    // told apart by words, not by showing what is stored
    for (const word of ['login', 'settings', 'robot', 'heading.md'])
      expect([word, stored.includes(word)]).toEqual([word, true]);
    const leaked = secrets.flatMap(partsOf).filter((part) => stored.includes(part.toLowerCase()));
    expect(leaked).toEqual([]);
    expect(secrets.length).toBeGreaterThan(40);
  });
});

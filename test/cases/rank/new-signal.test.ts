import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeTask } from '../../../src/context/analyze/analyze-task.ts';
import { indexOf } from '../../../src/context/rank/index.test-kit.ts';
import { emptyHistory } from '../../../src/model/commit-history.ts';
import type { IndexView } from '../../../src/model/index-view.ts';
import type { RankedFile } from '../../../src/model/ranking.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const WEIGHT = 20;

/** All that a new signal takes beside its own object: its row in the table. */
const newRow: Plugin = {
  name: 'new-row',
  setup: (builder) =>
    builder.onLoad({ filter: /src[/\\]context[/\\]rank[/\\]signals[/\\]table\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const file = JSON.stringify(join(root, 'test/fixtures/signals/made-up.ts'));
      const rows = 'const ROWS: readonly Row[] = [';
      const row = `[atTheRoot, ${WEIGHT}],`;
      const contents = text.replace(rows, `import { atTheRoot } from ${file};\n${rows}${row}`);
      if (contents === text) throw new Error('the table has no list of rows');
      return { contents, loader: 'ts' };
    }),
};

/** The parts of the program that rank, tune and learn. */
const ENTRY = `
export { rankFiles } from './src/context/rank.ts';
export { evidenceTable, signalTable } from './src/context/evaluate/signal-table.ts';
export { RANKING_SIGNALS } from './src/context/rank/signals/table.ts';
export { sumSides } from './src/context/rank/evidence.ts';
export { SIGNALS } from './src/model/ranking.ts';
`;

type Engine = Pick<typeof import('../../../src/context/rank.ts'), 'rankFiles'> &
  Pick<typeof import('../../../src/context/evaluate/signal-table.ts'), 'evidenceTable' | 'signalTable'> &
  Pick<typeof import('../../../src/context/rank/signals/table.ts'), 'RANKING_SIGNALS'>;

const TEXTS = {
  'notes.ts': 'export const invoice = 1;\n',
  'src/billing/invoice.ts': 'export class Invoice {\n  /** Total of an invoice. */\n  total() {}\n}\n',
  'src/mail/letter.ts': 'export const letter = "invoice";\n',
};
const TASK = 'The total of an invoice is wrong';
const OPTIONS = { weights: { ast: 0.6, semantic: 0.4 }, limit: 10, minRelevance: 0 };

let folder: string;
let engine: Engine;
let index: IndexView;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-new-signal-'));
  const outfile = join(folder, 'engine.mjs');
  await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['typescript', '@parcel/watcher'],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    plugins: [newRow],
    logLevel: 'error',
  });
  engine = await import(pathToFileURL(outfile).href);
  index = await indexOf(TEXTS);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ranked = (): RankedFile[] => engine.rankFiles(index, analyzeTask(TASK), emptyHistory(), OPTIONS);

describe('a new signal, added with one object and one table row', () => {
  it('changes the order of the files that it favours', async () => {
    const { rankFiles } = await import('../../../src/context/rank.ts');
    const without = rankFiles(index, analyzeTask(TASK), emptyHistory(), OPTIONS);
    expect(without[0]!.path).toBe('src/billing/invoice.ts');
    const [first] = ranked();
    expect(first!.path).toBe('notes.ts');
    const before = without.find(({ path }) => path === 'notes.ts')!;
    expect(first!.signals.path).toBeGreaterThan(before.signals.path);
    expect(first!.astScore).toBeGreaterThan(before.astScore);
  });

  it('gives the reason that a user sees', () => {
    const [first, ...others] = ranked();
    expect(first!.reasons[0]).toBe('notes.ts is at the root');
    for (const { reasons } of others) expect(reasons.join()).not.toContain('is at the root');
  });

  it('is tuned with its group', () => {
    const table = engine.evidenceTable(index, analyzeTask(TASK), emptyHistory());
    const { paths, signals } = engine.signalTable(Object.keys(TEXTS).sort(), table, []);
    expect(signals.path[paths.indexOf('notes.ts')]).toBeGreaterThanOrEqual(WEIGHT);
  });

  it('gets a weight when the weights are learned', { timeout: 60_000 }, async () => {
    const { rankTask } = await import(pathToFileURL(join(root, 'bench/relevance/rank-task.mjs')).href);
    const scan = { repository: null, result: { gitSha: '' }, index };
    const parts = {
      ...engine,
      loadHistory: async () => emptyHistory(),
      rankScan: async () => ({ files: ranked(), analysis: analyzeTask(TASK) }),
    };
    const tasks = ['a', 'b', 'c'].map((repo) => ({
      ...{ set: 'commits', id: repo, repo, language: 'typescript', task: TASK },
      gold: ['notes.ts'],
    }));
    const found = await Promise.all(tasks.map((task) => rankTask(parts, scan, {}, task, true)));
    const lines = [found[0].features.header, ...found.map(({ features }) => features.line)];
    const file = join(folder, 'features.jsonl');
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const out = join(folder, 'model.json');
    const flags = ['--skip-regression', '--restarts', '1', '--rounds', '1', '--folds', '2', '--out', out];
    const learn = join(root, 'bench/relevance/learn.mjs');
    const { status, stderr } = spawnSync(process.execPath, [learn, file, ...flags], { encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const { weights } = JSON.parse(readFileSync(out, 'utf8'));
    expect(Object.keys(weights)).toEqual(engine.RANKING_SIGNALS.map(({ name }) => name));
    expect(weights.atTheRoot).toBeGreaterThan(0);
  });
});

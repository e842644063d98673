import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useIndex } from '../../../src/scan/index-session.ts';
import { settingsFor } from '../../support/scan-kit.ts';
import { temporaryRepository } from '../../support/temporary-repository.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** All that a new store takes beside its own folder: its kind in the settings, and its row in the table. */
const STEPS: Readonly<Record<string, readonly [before: string, added: string]>> = {
  'src/config/stores-kind.ts': ['const STORE_KINDS = [', "'made-up', "],
  'src/stores/team/team-store.ts': [
    'const KINDS: Readonly<Record<StoreKind, OpenTeamStore>> = {',
    "'made-up': openMadeUpStore,",
  ],
};

const twoSteps: Plugin = {
  name: 'two-steps',
  setup: (builder) => {
    const fixture = JSON.stringify(join(root, 'test/fixtures/stores/made-up.ts'));
    for (const [file, [before, added]] of Object.entries(STEPS))
      builder.onLoad({ filter: new RegExp(`${file.replaceAll('/', '[/\\\\]')}$`) }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const contents = text.replace(before, () => before + added);
        if (contents === text) throw new Error(`${file} has no ${before}`);
        return { contents: `import { openMadeUpStore } from ${fixture};\n${contents}`, loader: 'ts' };
      });
  },
};

const ENTRY = `
export { storesKind } from './src/config/stores-kind.ts';
export { fillTeamStore } from './src/stores/team/fill-team-store.ts';
export { cleanTeamStore, dropFromTeamStore, teamStoreStatus } from './src/stores/team/team-store.ts';
export { searchTeamStore } from './src/context/search-team-store.ts';
`;

let folder: string;
let built: Pick<typeof import('../../../src/config/stores-kind.ts'), 'storesKind'> &
  Pick<typeof import('../../../src/stores/team/fill-team-store.ts'), 'fillTeamStore'> &
  typeof import('../../../src/stores/team/team-store.ts') &
  Pick<typeof import('../../../src/context/search-team-store.ts'), 'searchTeamStore'>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-new-store-'));
  await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    entryNames: 'stores',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['typescript', '@parcel/watcher'],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    plugins: [twoSteps],
    logLevel: 'error',
  });
  built = await import(pathToFileURL(join(folder, 'stores.mjs')).href);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a new store, added with one folder, a kind and a table row', () => {
  it('is allowed in the settings, filled by a scan, asked and cleaned', { timeout: 20_000 }, async () => {
    const stores = built.storesKind.fromFile({
      ours: { kind: 'made-up', url: 'https://store.example', team: 'red' },
    })!;
    const repository = temporaryRepository({
      'src/token-store.ts': 'export class TokenStore {\n  refresh() {}\n}\n',
      'src/clock.ts': 'export function now() {\n  return 0;\n}\n',
    });
    const settings = settingsFor(repository.cache, {
      ...{ stores, store: 'ours', storeRepository: 'org/app', storeBranch: 'main' },
    });
    const report = await useIndex({ repo: repository.path, mode: 'incremental', settings }, (scan) =>
      built.fillTeamStore(scan, { settings }),
    );
    expect(report).toMatchObject({ store: 'ours', repository: 'org/app', bytesSent: 0 });

    const { server, snapshots } = await built.teamStoreStatus(settings);
    expect(server).toBe('made-up 1.0');
    expect(snapshots).toMatchObject([{ repository: 'org/app', branch: 'main', fileCount: 2 }]);

    const question = { settings, task: 'refresh the token store', repositories: ['org/*'], limit: 5 };
    const hits = await built.searchTeamStore(question);
    expect(hits[0]).toMatchObject({ repository: 'org/app', path: 'src/token-store.ts' });

    expect(await built.cleanTeamStore(settings)).toEqual({ files: 0, lists: 0 });
    expect(await built.dropFromTeamStore(settings, 'org/app', null)).toBe(1);
  });
});

import { SETTINGS, type Settings } from '../../src/config/settings.ts';
import type { EdgeList, ScanMode } from '../../src/model/snapshot.ts';
import { parserNodeOptions } from '../../src/platform/host.ts';
import type { PoolOptions } from '../../src/scan/pool/segment-pool.ts';
import { openRepository } from '../../src/scan/repository.ts';
import { runScan } from '../../src/scan/run-scan.ts';
import { type Scan, scanRepository } from '../../src/scan/scan-repository.ts';
import { SCALE } from './scale.ts';

export { SCALE };

/** For suites whose length grows with the scale; a busy machine must not fail them. */
export const PATIENT = { timeout: 120_000 * SCALE };

export interface ScanPlace {
  readonly path: string;
  readonly cache: string;
}

export function settingsFor(cache: string, changes: Partial<Settings> = {}): Settings {
  const defaults = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
  ) as Settings;
  // one worker: small repositories gain nothing from a second one, and tests share the machine
  return { ...defaults, cacheDir: cache, parseWorkers: 1, ...changes };
}

export function scanInProcess(
  { path, cache }: ScanPlace,
  mode: ScanMode = 'incremental',
  changes: Partial<Settings> = {},
): ReturnType<typeof runScan> {
  return runScan({ repo: path, mode, settings: settingsFor(cache, changes) });
}

/** The visible facts about each file of an index, in a form that can be compared. */
export function answersOf({ index, result }: Pick<Scan, 'index' | 'result'>) {
  const { files, id, gitSha } = index.snapshot;
  const edges = ({ starts, targets }: EdgeList) =>
    files.flatMap(({ path }, at) =>
      Array.from(
        targets.subarray(starts[at], starts[at + 1]),
        (target) => `${path} -> ${files[target]?.path}`,
      ),
    );
  const answers = {
    id,
    gitSha,
    files: files.map((file) => {
      const { path, language, classification, skip, hash, size, saysGenerated } = file;
      const segment = file.document < 0 ? null : index.segmentOf(file);
      return {
        ...{ path, language, classification, skip, hash, size, saysGenerated },
        symbols: segment?.symbols(file.document) ?? [],
        imports: segment?.imports(file.document) ?? [],
        exports: segment?.exports(file.document) ?? [],
      };
    }),
    imports: edges(index.links.imports),
    definers: edges(index.links.definers),
    tests: edges(index.links.tests),
    symbolsIndexed: result.symbolsIndexed,
    dependenciesIndexed: result.dependenciesIndexed,
    filesScanned: result.filesScanned,
    filesSkipped: result.filesSkipped,
    links: result.links,
  };
  index.close();
  return answers;
}

export type Answers = ReturnType<typeof answersOf>;

/** Which diagnostics a scan gave, by code. */
export const codesOf = ({ result }: Pick<Scan, 'result'>): string[] =>
  result.diagnostics.map(({ code }) => code);

/** A scan whose parser process is another module than the product's. */
export async function scanWithWorker(
  { path, cache }: ScanPlace,
  workerModule: string,
  pool: Partial<Pick<PoolOptions, 'workers' | 'onProgress' | 'nodeOptions'>> = {},
): Promise<Scan> {
  const settings = settingsFor(cache);
  return scanRepository(await openRepository(path, cache), {
    ...settings,
    mode: 'incremental',
    verify: false,
    parseTimeoutMs: 1000,
    onProgress: () => {},
    pool: { workers: 2, workerModule, nodeOptions: parserNodeOptions(), signal: undefined, ...pool },
  });
}

import type { SnapshotFile } from '../../../model/snapshot.ts';
import { discoverFiles } from '../../../scan/discover/discover-files.ts';
import { OpenIndex } from '../../../scan/format/open-index.ts';
import { openRepository } from '../../../scan/repository.ts';
import type { OpenScan, ScanRequest } from '../../../scan/run-scan.ts';
import { describeLanguage } from '../../../scan/scan-repository.ts';

const NO_FINDINGS = {
  hash: '',
  segment: -1,
  document: -1,
  symbolCount: 0,
  interfaceHash: 0,
  saysGenerated: false,
} satisfies Partial<SnapshotFile>;

/** The files of a repository and nothing about what is in them: enough to show them whole, at a fraction of a scan. */
export async function listScan({
  repo,
  settings,
}: Pick<ScanRequest, 'repo' | 'settings'>): Promise<OpenScan> {
  const repository = await openRepository(repo, settings.cacheDir);
  const { root, git, store } = repository;
  const { files, diagnostics } = await discoverFiles(root, git, describeLanguage, settings);
  const snapshot = {
    id: '',
    root: root.path,
    gitSha: '',
    segments: [],
    files: files.map((entry) => ({ ...entry, ...NO_FINDINGS })),
    links: '',
    basis: null,
  };
  return {
    repository,
    index: new OpenIndex(store, snapshot, null),
    result: {
      filesScanned: files.length,
      filesChanged: 0,
      filesSkipped: [],
      symbolsIndexed: 0,
      dependenciesIndexed: 0,
      durationSeconds: 0,
      gitSha: '',
      mode: 'incremental',
      links: [],
      diagnostics: [...repository.diagnostics, ...diagnostics],
    },
  };
}

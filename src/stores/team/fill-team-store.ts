// Sends the findings of a scan to the team's store. Used by `loadout scan --store`.

import type { Settings } from '../../config/index.ts';
import type { StoredFile, UpdateReceipt, WordCount } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { contentHash } from '../../platform/fs/read-file.ts';
import { redactSecrets } from '../../redact/index.ts';
import type { OpenScan, ScanStep } from '../../scan/index.ts';
import { indexUpdate } from '../local/local-snapshot.ts';
import { branchScope, needBranch } from './ask-team-store.ts';
import { chooseTeamStore } from './team-store.ts';

/** Settings name the store; `onProgress` sees each file that is sent. */
export interface FillRequest {
  readonly settings: Settings;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

/** The account of an update of the team's store. */
export interface FillReport extends UpdateReceipt {
  readonly store: string;
  readonly repository: string;
  readonly branch: string;
  readonly bytesSent: number;
  /** Requests and documents that had to be sent again. */
  readonly retries: number;
}

/** Brings a branch in the team's store up to date with a scan. Secrets are removed before anything is sent. */
export async function fillTeamStore(scan: OpenScan, request: FillRequest): Promise<FillReport> {
  const { settings, signal, onProgress } = request;
  const { repository, branch: found } = await branchScope(scan, settings);
  const branch = needBranch(found);
  const store = chooseTeamStore(settings);
  try {
    const update = indexUpdate(scan.index, { repository, branch, commit: scan.result.gitSha, model: '' });
    const receipt = await store.update(
      {
        ...update,
        load: async (entry) => withoutSecrets(scan, settings, await update.load(entry)),
        onProgress: (done, total) =>
          onProgress?.({ label: `sending files to ${settings.store}`, done, total }),
      },
      signal ? { signal } : {},
    );
    const { bytesSent, retries } = store.traffic();
    return { store: settings.store, repository, branch, ...receipt, bytesSent, retries };
  } finally {
    await store.close();
  }
}

/** The words that the index counts. */
const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

/** The parts of a file that may leave this machine: no word that occurs only in secrets, in any field. */
function withoutSecrets({ repository }: OpenScan, settings: Settings, file: StoredFile): StoredFile {
  const { path } = file;
  const read = repository.root.read(path, settings.maxFileBytes);
  if (read.kind !== 'content' || contentHash(read.bytes) !== file.contentHash)
    throw new LoadoutError('repository-changed', `${path} has changed since it was scanned`, {
      subject: path,
      hint: 'try again when nothing is writing to the repository',
    });
  const decoded = decodeText(read.bytes);
  if (decoded.kind !== 'text') return file;
  const { text, findings } = redactSecrets(decoded.text, path);
  if (findings.length === 0) return file;
  // Words that are still there after redaction may be sent.
  const left = new Set(text.match(WORD) ?? []);
  // a secret may depend on another line, so the words decide and not a second look at the line
  const gone = new Set((decoded.text.match(WORD) ?? []).filter((word) => !left.has(word)));
  const clean = (line: string) =>
    redactSecrets(line, path).text.replace(WORD, (word) => (gone.has(word) ? '[redacted]' : word));
  // A word that occurs in secrets only is dropped from every field.
  const kept = (words: readonly WordCount[]) => words.filter(([word]) => left.has(word));
  const { code, comment, string, definition } = file.words;
  return {
    ...file,
    words: { code: kept(code), comment: kept(comment), string: kept(string), definition: kept(definition) },
    symbols: file.symbols.map((symbol) => ({
      ...symbol,
      name: clean(symbol.name),
      signature: clean(symbol.signature),
      doc: clean(symbol.doc),
    })),
    imports: file.imports.map((one) => ({
      ...one,
      specifier: clean(one.specifier),
      names: one.names.map(clean),
    })),
  };
}

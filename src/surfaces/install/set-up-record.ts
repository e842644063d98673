import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../model/read-json.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolder } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import type { Insertion } from './edit-json.ts';

/** Records the text that was inserted into one file, so that exactly this text can be removed again. */
export interface SetUpRecord {
  readonly path: string;
  readonly client: string;
  /** The file did not exist before. */
  readonly isNew: boolean;
  readonly insertions: readonly Insertion[];
  /** The hash of a file that Loadout wrote as a whole; empty for other files. */
  readonly hash: string;
  /** Folders that were created for it, the outermost first. */
  readonly folders: readonly string[];
  /** The clients that were set up, for an entry that several of them read. */
  readonly owners?: readonly string[];
}

/** The stored records of all clients. */
export interface SetUpRecords {
  read(client: string, path: string): SetUpRecord | null;
  write(record: SetUpRecord): void;
  remove(client: string, path: string): void;
}

/** The hash of a text, for records. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const MAX_RECORD_BYTES = 20_000_000;

/** Records in the user's configuration directory, one file each. */
export function openSetUpRecords(configDirectory: string): SetUpRecords {
  const folder = join(configDirectory, 'init');
  const fileOf = (client: string, path: string) =>
    join(folder, `${client}-${hashOf(path).slice(0, 24)}.json`);
  return {
    read(client, path) {
      try {
        const text = readRegularFile(fileOf(client, path), MAX_RECORD_BYTES).toString();
        const record = parseJson(text, fileOf(client, path)) as SetUpRecord;
        return record.path === path && Array.isArray(record.insertions) && Array.isArray(record.folders)
          ? record
          : null;
      } catch {
        return null;
      }
    },
    write(record) {
      makeFolder(folder);
      writeFileAtomic(fileOf(record.client, record.path), `${JSON.stringify(record, null, 2)}\n`);
    },
    remove: (client, path) => rmSync(fileOf(client, path), { force: true }),
  };
}

import { join } from 'node:path';
import { REPOSITORY_GUIDELINES, USER_GUIDELINES } from '../../context/guidelines/guideline-places.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import { MAX_DOCUMENT_BYTES } from '../../schema/parsed-document.ts';
import type { CommandCall } from './command.ts';
import { writeNewFile } from './write-new-file.ts';

/** Where a bootstrap reads and writes. */
export interface GuidelineFolder {
  readonly label: string;
  /** Null when there is no such file; one that cannot be read counts as somebody's. */
  read(file: string): string | null;
  write(file: string, text: string): void;
}

export async function openGuidelineFolder(call: CommandCall, isUser: boolean): Promise<GuidelineFolder> {
  return isUser ? userFolder(join(configDirectory(call.io.env), USER_GUIDELINES)) : repositoryFolder(call);
}

function repositoryFolder(call: CommandCall): GuidelineFolder {
  const root = call.repository();
  const at = (file: string) => `${REPOSITORY_GUIDELINES}/${file}`;
  return {
    label: REPOSITORY_GUIDELINES,
    read: (file) => {
      if (root.stat(at(file)) === null) return null;
      const outcome = root.read(at(file), MAX_DOCUMENT_BYTES);
      return outcome.kind === 'content' ? outcome.bytes.toString('utf8') : '';
    },
    write: (file, text) => writeNewFile(root, at(file), text),
  };
}

function userFolder(folder: string): GuidelineFolder {
  return {
    label: folder,
    read: (file) => {
      try {
        return readRegularFile(join(folder, file), MAX_DOCUMENT_BYTES).toString();
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : '';
      }
    },
    write: (file, text) => {
      createFolders(folder, 0o700);
      writeFileAtomic(join(folder, file), text);
    },
  };
}

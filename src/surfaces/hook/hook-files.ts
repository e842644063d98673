import { createHash } from 'node:crypto';
import {
  appendFileSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../platform/error-code.ts';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';

const FOLDERS = ['sessions', 'packages', 'maps', 'claims'] as const;
type HookFolder = (typeof FOLDERS)[number];

const MAX_FILES: Readonly<Record<HookFolder, number>> = {
  sessions: 200,
  packages: 400,
  maps: 40,
  claims: 400,
};
const OLDEST_MS = 14 * 24 * 3_600_000;
const MAX_FILE = 256 * 1024;

/**
 * Small files that hooks keep between calls, in the cache directory. They can be lost at any time. Nothing here waits
 * for the disk, because an agent waits for the hook.
 */
export class HookFiles {
  readonly #folder: string;

  constructor(cacheDirectory: string) {
    this.#folder = join(cacheDirectory, 'hook');
  }

  /** Null when there is none; files that have grown beyond reason count as none. */
  read(folder: HookFolder, name: string): string | null {
    const path = this.#path(folder, name);
    try {
      return readRegularFile(path, MAX_FILE).toString();
    } catch {
      return null;
    }
  }

  write(folder: HookFolder, name: string, text: string): void {
    const path = this.#path(folder, name);
    const draft = `${path}.${process.pid}.tmp`;
    try {
      this.#make(folder);
      writeFileSync(draft, text, { mode: 0o600 });
      renameSync(draft, path);
    } catch {
      rmSync(draft, { force: true });
    }
  }

  /** One line at the end; short lines of several processes do not mix. */
  append(folder: HookFolder, name: string, line: string): void {
    try {
      this.#make(folder);
      appendFileSync(this.#path(folder, name), `${line}\n`, { mode: 0o600 });
    } catch {
      // The next event knows less; that does no harm.
    }
  }

  /** True for only one of the processes that claim a name within this time; for all when nothing can be written. */
  claim(name: string, withinMs: number, nowMs: number): boolean {
    const path = this.#path('claims', name);
    try {
      this.#make('claims');
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      return errorCode(error) !== 'EEXIST' || this.#renew(path, withinMs, nowMs);
    }
  }

  #renew(path: string, withinMs: number, nowMs: number): boolean {
    try {
      if (Math.abs(nowMs - statSync(path).mtimeMs) < withinMs) return false;
      utimesSync(path, nowMs / 1_000, nowMs / 1_000);
    } catch {
      // It was removed in the meantime.
    }
    return true;
  }

  /** Removes old files, and those beyond the limit of each folder. */
  tidy(nowMs: number): void {
    for (const folder of FOLDERS) {
      const files = listFilesByAge(join(this.#folder, folder));
      for (const [at, { name, changedMs }] of files.entries())
        if (at >= MAX_FILES[folder] || nowMs - changedMs > OLDEST_MS)
          rmSync(join(this.#folder, folder, name), { force: true });
    }
  }

  #make(folder: HookFolder): void {
    createFolders(join(this.#folder, folder), 0o700);
  }

  /** Names come from clients, so only their hashes are used in paths. */
  #path(folder: HookFolder, name: string): string {
    return join(this.#folder, folder, createHash('sha256').update(name).digest('hex').slice(0, 32));
  }
}

/** The files of a folder, the youngest first; none when it cannot be read. */
function listFilesByAge(folder: string): readonly { readonly name: string; readonly changedMs: number }[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => {
        const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
        return stats?.isFile() ? [{ name, changedMs: stats.mtimeMs }] : [];
      })
      .sort((a, b) => b.changedMs - a.changedMs);
  } catch {
    return [];
  }
}

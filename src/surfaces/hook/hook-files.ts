import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../model/loadout-error.ts';
import { appendText } from '../../platform/fs/append-file.ts';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';

const FOLDERS = ['sessions', 'packages', 'maps', 'claims', 'records'] as const;
type HookFolder = (typeof FOLDERS)[number];

const MAX_FILES: Readonly<Record<HookFolder, number>> = {
  sessions: 200,
  packages: 400,
  maps: 40,
  claims: 400,
  records: 200,
};
const DAY_MS = 24 * 3_600_000;
const OLDEST_MS: Readonly<Record<HookFolder, number>> = {
  sessions: 14 * DAY_MS,
  packages: 14 * DAY_MS,
  maps: 14 * DAY_MS,
  claims: 14 * DAY_MS,
  records: 90 * DAY_MS,
};
const MAX_FILE = 1024 * 1024;
/** A larger file of records is set aside. It replaces the one that was set aside before. */
const MAX_RECORDS = 512 * 1024;

/**
 * Small files that hooks keep between calls, in the cache directory. They can be lost at any time. Nothing here waits
 * for the disk, because an agent waits for the hook.
 */
export class HookFiles {
  readonly #folder: string;

  constructor(cacheDirectory: string) {
    this.#folder = join(cacheDirectory, 'hook');
  }

  /** Null when there is none, or when the file is far too large. */
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
      appendText(this.#path(folder, name), `${line}\n`);
    } catch {
      // The next event knows less, which is harmless.
    }
  }

  /** One line at the end of a log that keeps at most two files of half a megabyte. Each begins with `firstLine`. */
  record(name: string, line: string, firstLine: string): void {
    const path = this.#path('records', name);
    let size = 0;
    try {
      size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > MAX_RECORDS) renameSync(path, `${path}.1`);
    } catch {
      // Another process has just done so.
    }
    const isNew = size === 0 || size > MAX_RECORDS;
    this.append('records', name, isNew ? `${firstLine}\n${line}` : line);
  }

  /** The lines of such a log, oldest first. */
  records(name: string): readonly string[] {
    const path = this.#path('records', name);
    return [`${path}.1`, path].flatMap((file) => {
      try {
        return readRegularFile(file, 2 * MAX_RECORDS)
          .toString()
          .split('\n');
      } catch {
        return [];
      }
    });
  }

  /** The first line of each log of records, and whether the log belongs to a name. */
  firstRecords(): readonly { readonly line: string; isOf(name: string): boolean }[] {
    const folder = join(this.#folder, 'records');
    const names = listFilesByAge(folder).map(({ name }) => name);
    // The older file is alone when a log was set aside and no new one was started.
    const logs = new Set(names.map((name) => name.replace(/\.1$/, '')));
    return [...logs].map((log) => {
      const path = join(folder, log);
      const [line = ''] = [path, `${path}.1`].map(firstLineOf).filter((one) => one !== '');
      return { line, isOf: (name) => this.#path('records', name) === path };
    });
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
        if (at >= MAX_FILES[folder] || nowMs - changedMs > OLDEST_MS[folder])
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

/** Maximum length of a path. */
const MAX_FIRST_LINE = 20_000;

/** Empty when the file cannot be read. */
function firstLineOf(path: string): string {
  try {
    const bytes = readRegularFile(path, 2 * MAX_RECORDS);
    const end = bytes.indexOf('\n');
    return bytes.toString('utf8', 0, Math.min(end === -1 ? bytes.length : end, MAX_FIRST_LINE));
  } catch {
    return '';
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

import { setImmediate } from 'node:timers/promises';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileStat } from '../../platform/fs/safe-root.ts';

/** A path as one of the two ways of listing found it. */
export interface ListedFile {
  readonly path: string;
  /** Null when the path is known but cannot be looked at. */
  readonly stat: FileStat | null;
  /** The root of another repository: listed, never entered. */
  readonly isRepository: boolean;
  readonly gitBlob: string | null;
}

/** All files that a listing found, and what it could not read. */
export interface FileListing {
  readonly files: readonly ListedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_SHOWN = 100;

/** `3 folders (a, b, c)`; after three names it stops counting them out. */
export function summarizePaths(paths: readonly string[], noun: string): string {
  const rest = paths.length > 3 ? ', …' : '';
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${paths.length} ${paths.length === 1 ? noun : plural} (${paths.slice(0, 3).map(shorten).join(', ')}${rest})`;
}

function shorten(path: string): string {
  if (path === '') return '.';
  return path.length <= MAX_SHOWN ? path : `…${path.slice(-MAX_SHOWN)}`;
}

export function describeUnreadable(folders: readonly string[]): readonly Diagnostic[] {
  if (folders.length === 0) return [];
  const message = `${summarizePaths(folders, 'folder')} could not be read`;
  return [{ code: 'folder-unreadable', severity: 'warning', message }];
}

const FILES_PER_YIELD = 4_096;

/** Lets the event loop run after every few thousand files: pipes drain, a server stays answerable. */
export function createEventLoopYield(): (filesDone: number) => Promise<void> {
  let sinceYield = 0;
  return async (filesDone) => {
    sinceYield += filesDone;
    if (sinceYield < FILES_PER_YIELD) return;
    sinceYield = 0;
    await setImmediate();
  };
}

// Tells when files of a folder change, once for each burst of changes.

import { watch } from 'node:fs';
import { relative } from 'node:path';

/** A watch on the files of a folder. */
export interface TreeWatch {
  /** Settles when something has changed since the last call, or when the watch is closed. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

/** Changes come in bursts: an editor writes a file in several steps, a branch switch thousands of files. */
const QUIET_MS = 150;

/**
 * Folders whose changes never matter; everything else is decided by the scan itself. Runs write to some of them all the
 * time: their records, the state of their work trees, branches for their results.
 */
const IGNORED_FOLDERS = [
  '.git/objects',
  '.git/logs',
  '.git/worktrees',
  '.git/refs/heads/loadout',
  '.loadout/runs',
  'node_modules',
];
const IGNORED = IGNORED_FOLDERS.map((folder) => `**/${folder}/**`);

function isIgnored(path: string): boolean {
  const inside = `/${path.replaceAll('\\', '/')}/`;
  return IGNORED_FOLDERS.some((folder) => inside.includes(`/${folder}/`));
}

/** Watches a folder and all below it. */
export async function watchTree(root: string, signal: AbortSignal): Promise<TreeWatch> {
  let pending = false;
  let notify: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;
  const finish = () => {
    pending = true;
    notify?.();
  };
  const onEvent = () => {
    clearTimeout(timer);
    timer = setTimeout(finish, QUIET_MS);
  };
  const stop = await start(root, onEvent);
  signal.addEventListener('abort', finish, { once: true });
  return {
    changed: async () => {
      if (!pending)
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      pending = false;
      notify = null;
    },
    close: async () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      await stop();
    },
  };
}

/** The native watcher is ready in a third of a second on 60,000 files; node's own is the fallback. */
async function start(root: string, onEvent: () => void): Promise<() => Promise<void>> {
  try {
    const { subscribe } = await import('@parcel/watcher');
    const subscription = await subscribe(
      root,
      // an ignored folder itself is reported when something in it changes
      (_error, events) => {
        if (!events.length || events.some(({ path }) => !isIgnored(relative(root, path)))) onEvent();
      },
      { ignore: IGNORED },
    );
    return () => subscription.unsubscribe();
  } catch {
    const watcher = watch(root, { recursive: true, persistent: true }, (_kind, path) => {
      if (path === null || !isIgnored(path)) onEvent();
    });
    return async () => watcher.close();
  }
}

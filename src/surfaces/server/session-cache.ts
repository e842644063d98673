import type { Settings } from '../../config/settings.ts';
import { type IndexSession, indexKey, openIndexSession } from '../../scan/index-session.ts';

/** The index sessions that a server keeps open, one a repository. */
export interface SessionCache {
  /** The session for the repository at this real path. It is opened on first use, and again for other settings. */
  get(path: string, settings: Settings): Promise<IndexSession>;
  readonly paths: () => readonly string[];
  close(): Promise<void>;
}

/** Each session holds a watch and some memory, so only the repositories that were used last stay open. */
const MAX_SESSIONS = 8;

export function createSessionCache(open = openWatched): SessionCache {
  const sessions = new Map<string, { readonly key: string; readonly session: Promise<IndexSession> }>();
  const drop = async (path: string): Promise<void> => {
    const one = sessions.get(path);
    sessions.delete(path);
    await one?.session.then((session) => session.close()).catch(() => {});
  };
  return {
    get(path, settings) {
      const key = indexKey(settings);
      const known = sessions.get(path);
      if (known && known.key !== key) void drop(path);
      const one = known?.key === key ? known : { key, session: open(path, settings) };
      // The map is in order of use: the entry that was used last is at the end.
      sessions.delete(path);
      sessions.set(path, one);
      one.session.catch(() => {
        if (sessions.get(path) === one) sessions.delete(path);
      });
      if (sessions.size > MAX_SESSIONS) void drop(sessions.keys().next().value!);
      return one.session;
    },
    paths: () => [...sessions.keys()],
    close: async () => {
      await Promise.all([...sessions.keys()].map(drop));
    },
  };
}

function openWatched(repo: string, settings: Settings): Promise<IndexSession> {
  return openIndexSession({ repo, settings, mode: settings.scanMode }, 'watched');
}

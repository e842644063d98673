import type { Settings } from '../../config/settings.ts';
import { indexKey } from '../../scan/kept-scan.ts';
import type { WarmRepository } from './warm-repository.ts';

export interface WarmShelf {
  /** The repository at a real path, opened when it is first asked for, or asked for with other settings. */
  get(path: string, settings: Settings): Promise<WarmRepository>;
  readonly paths: () => readonly string[];
  close(): Promise<void>;
}

interface Shelved {
  readonly key: string;
  readonly repository: Promise<WarmRepository>;
}

/** Each holds a watch and some memory. */
const MOST_REPOSITORIES = 8;

/** Keeps the repositories that were used last. */
export function createWarmShelf(
  open: (path: string, settings: Settings) => Promise<WarmRepository>,
): WarmShelf {
  const opened = new Map<string, Shelved>();
  const drop = async (path: string) => {
    const one = opened.get(path);
    opened.delete(path);
    await one?.repository.then((repository) => repository.close()).catch(() => {});
  };
  return {
    get(path, settings) {
      const key = indexKey(settings);
      const known = opened.get(path);
      if (known && known.key !== key) void drop(path);
      const isKnown = known?.key === key;
      const one = isKnown ? known : { key, repository: open(path, settings) };
      opened.delete(path);
      opened.set(path, one);
      if (!isKnown)
        one.repository.catch(() => {
          if (opened.get(path) === one) opened.delete(path);
        });
      if (opened.size > MOST_REPOSITORIES) void drop(opened.keys().next().value!);
      return one.repository;
    },
    paths: () => [...opened.keys()],
    close: async () => {
      await Promise.all([...opened.keys()].map(drop));
    },
  };
}

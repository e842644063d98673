import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI } from '../support/run-cli.ts';
import type { TemporaryRepository } from '../support/temporary-repository.ts';
import { clusterUrls, TEST_INDEX } from './cluster-kit.ts';

/** The command line; another build of it than the one in dist, if one is named. */
export const PROGRAM = process.env.LOADOUT_TEST_CLI ?? CLI;

export interface ProgramRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StoreChoice {
  readonly team: string;
  readonly url?: readonly string[];
  /** Name of the store to use without a flag. */
  readonly store?: string;
  /** Other parts of the setting. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Writes the user's own settings, with a store called `team`. */
export function configureStore({ home }: TemporaryRepository, choice: StoreChoice): void {
  const { team, url = clusterUrls(), store, more } = choice;
  const stores = { team: { url, team, index: TEST_INDEX, ...more } };
  const chosen = store ? `store: ${store}\n` : '';
  writeFileSync(join(home, 'config.yaml'), `${chosen}stores: ${JSON.stringify(stores)}\n`);
}

export function environmentOf({ home, cache }: TemporaryRepository): Record<string, string> {
  const path = process.env.PATH ?? '';
  return { PATH: path, HOME: home, LOADOUT_CONFIG_DIR: home, LOADOUT_CACHE_DIR: cache };
}

export function runProgram(repository: TemporaryRepository, ...args: readonly string[]): Promise<ProgramRun> {
  const options = { cwd: repository.path, env: environmentOf(repository) };
  return new Promise((resolve) =>
    execFile(process.execPath, [PROGRAM, ...args], options, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    ),
  );
}

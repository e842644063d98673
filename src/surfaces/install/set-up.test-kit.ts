import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Scope } from '../../agents/agent-client.ts';
import type { InstallClient } from '../../agents/table.ts';
import { applySetUp, installPlace, planSetUp, type SetUpRequest } from './plan-set-up.ts';
import { openSetUpRecords } from './plan-target.ts';

/** New for each test: a home, and in it the folder of the repository or user that is set up. */
export let home: string;
export let base: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-init-')));
  base = join(home, 'base');
  mkdirSync(base);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

export function request(
  client: InstallClient,
  scope: Scope = 'project',
  remove = false,
  program = 'loadout',
  tools: readonly string[] = [],
): SetUpRequest {
  return {
    client,
    place: installPlace({ HOME: base }, base, scope),
    tools,
    launch: { program, args: [] },
    records: openSetUpRecords(join(home, 'config')),
    remove,
  };
}

export function run(asked: SetUpRequest) {
  const files = planSetUp(asked);
  applySetUp(files, asked);
  return files;
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

export const read = (path: string) => readFileSync(join(base, path), 'utf8');

/** Every file and folder with its bytes. */
export function tree(folder = base): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .map((entry) => [join(entry.parentPath, entry.name), entry] as const)
      .map(([path, entry]) => [path, entry.isFile() ? readFileSync(path, 'latin1') : 'folder'])
      .sort(),
  );
}

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CLI } from '../../../test/support/run-cli.ts';
import { checkSetUp } from './check-set-up.ts';
import { clientHomes } from './client-homes.ts';
import { applySetUp, planSetUp } from './plan-set-up.ts';
import { openSetUpRecords } from './set-up-record.ts';
import type { Client } from './set-up-target.ts';

let home: string;
let repository: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-doctor-')));
  repository = join(home, 'repository');
  mkdirSync(repository);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A client that tells its version, in a folder of the PATH. */
function install(name: string, says: string): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', name), `#!/bin/sh\necho '${says}'\n`);
  chmodSync(join(home, 'bin', name), 0o755);
}

function options(
  program = process.execPath,
  args: readonly string[] = [process.env.LOADOUT_TEST_CLI ?? CLI],
) {
  const env = { HOME: home, PATH: [join(home, 'bin'), process.env.PATH].join(delimiter) };
  const homes = (['project', 'user'] as const).map((scope) => clientHomes(env, repository, scope));
  return {
    env,
    repository,
    homes,
    launch: { program, args },
    records: openSetUpRecords(join(home, 'config')),
  };
}

function setUp(client: Client, launch = options().launch): void {
  const { homes, records } = options();
  const request = { client, homes: homes[0]!, launch, records, remove: false };
  applySetUp(planSetUp(request), request);
}

const find = async (name: string, given = options()) =>
  (await checkSetUp(given)).find((check) => check.name === name);

it('tells which clients are here, and how to connect them', async () => {
  install('claude', '2.1.325 (Claude Code)');
  install('codex', 'codex-cli 0.166.0');
  expect(await find('claude')).toMatchObject({
    state: 'good',
    detail: '2.1.325; not connected: loadout init claude',
  });
  expect((await find('codex'))?.detail).toContain('0.166.0');
  expect(await find('MCP server')).toBeUndefined();
});

it('says what is missing of what was set up', async () => {
  install('claude', '2.1.325');
  setUp('claude');
  expect((await find('claude'))?.detail).toBe('2.1.325; set up (project)');
  const path = join(repository, '.claude/settings.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"Agent|Task"', '"Agent"'));
  expect(await find('claude')).toMatchObject({
    state: 'limited',
    detail: '2.1.325; set up (project), but parts are missing or of another version: loadout init claude',
  });
  writeFileSync(path, '{');
  expect((await find('claude'))?.detail).toContain('cannot be read');
});

it('says when the program that was written does not start', async () => {
  install('broken-loadout', 'this is not the protocol');
  const given = options(join(home, 'bin/broken-loadout'), []);
  setUp('gemini', given.launch);
  expect(await find('MCP server', given)).toMatchObject({ state: 'broken' });
  expect(await find('hook', given)).toMatchObject({ state: 'broken' });
});

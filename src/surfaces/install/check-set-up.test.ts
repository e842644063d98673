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
import type { InstallClient } from '../../agents/table.ts';
import { checkSetUp } from './check-set-up.ts';
import { applySetUp, installPlace, planSetUp } from './plan-set-up.ts';
import { openSetUpRecords } from './plan-target.ts';

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
  const places = (['project', 'user'] as const).map((scope) => installPlace(env, repository, scope));
  return {
    env,
    repository,
    places,
    launch: { program, args },
    records: openSetUpRecords(join(home, 'config')),
    tools: [] as readonly string[],
  };
}

/** Codex as far as it tells about hooks. */
function installCodex(trust: string | null): void {
  const command = 'loadout hook session-start --client codex';
  const hooks = trust === null ? [] : [{ command, enabled: true, trustStatus: trust }];
  const answer = JSON.stringify({ id: 2, result: { data: [{ hooks }] } });
  install('codex', 'codex-cli 0.166.0');
  const program = `#!/bin/sh\nif [ "$1" = app-server ]; then echo '${answer}'; exec cat >/dev/null; fi\necho 0.166.0\n`;
  writeFileSync(join(home, 'bin/codex'), program);
}

function setUp(client: InstallClient, launch = options().launch): void {
  const { places, records, tools } = options();
  const request = { client, place: places[0]!, launch, records, tools, remove: false };
  applySetUp(planSetUp(request), request);
}

const find = async (name: string, given = options()) =>
  (await checkSetUp(given)).find((check) => check.name === name);

it('tells which clients are here, and how to connect them', async () => {
  install('claude', '2.1.325 (Claude Code)');
  install('codex', 'codex-cli 0.166.0');
  expect(await find('claude')).toMatchObject({
    state: 'ok',
    detail: '2.1.325; not connected: loadout init claude',
  });
  expect((await find('codex'))?.detail).toContain('0.166.0');
  expect(await find('MCP server')).toBeUndefined();
});

it('names the missing parts of a set-up', async () => {
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

it('reports a launch command that does not start', async () => {
  install('broken-loadout', 'this is not the protocol');
  const given = options(join(home, 'bin/broken-loadout'), []);
  setUp('gemini', given.launch);
  expect(await find('MCP server', given)).toMatchObject({ state: 'broken' });
  expect(await find('hook', given)).toMatchObject({ state: 'broken' });
});

it.each([
  ['trusted', 'ok', '1 trusted'],
  ['untrusted', 'limited', '1 of 1 are skipped: start codex here and choose "Trust all and continue"'],
  ['modified', 'limited', '1 of 1 are skipped'],
  [null, 'limited', 'Codex does not see them: start codex here and trust this folder'],
] as const)('asks Codex whether it trusts our hooks: %s', async (trust, state, detail) => {
  installCodex(trust);
  setUp('codex');
  expect(await find('codex hooks')).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

it('says when a Codex cannot tell, and asks none that is not connected', async () => {
  install('codex', 'codex-cli 0.1.0');
  expect(await find('codex hooks')).toBeUndefined();
  setUp('codex');
  expect((await find('codex hooks'))?.detail).toContain('cannot tell whether they are trusted');
});

it('says which client does not ask before it uses a tool that guidelines refuse', async () => {
  setUp('gemini');
  const given = { ...options(), tools: ['Bash'] };
  expect((await find('gemini', given))?.detail).toContain('loadout init gemini --scope user');
  setUp('claude');
  expect((await find('claude', given))?.detail).toContain('parts are missing');
});

it('lists a client that cannot ask about tools like any other', async () => {
  setUp('cursor');
  const given = { ...options(), tools: ['Bash'] };
  expect(await find('cursor', given)).toMatchObject({
    state: 'ok',
    detail: 'not on the PATH; set up (project)',
  });
});

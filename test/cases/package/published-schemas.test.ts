import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import picomatch from 'picomatch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { HOOK_CLIENTS, type HookClient } from '../../../src/agents/table.ts';
import { CONFIG_SCHEMA_ADDRESS } from '../../../src/config/settings-schema.ts';
import { capturedInputs, hookPlace, PROJECT } from '../../support/hook-kit.ts';
import { type PackedTarball, packTarball } from '../../support/packed-tarball.ts';
import { temporaryRepository } from '../../support/temporary-repository.ts';

const TASK = 'Fix the race when the access token is refreshed in refreshToken, src/auth/token.ts:3';

let tarball: PackedTarball;
let folder: string;
const validators = new Map<string, ValidateFunction>();

beforeAll(() => {
  tarball = packTarball();
  execFileSync('tar', ['-xzf', tarball.file, '-C', tarball.place]);
  folder = join(tarball.place, 'package');
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
  for (const name of schemaNames()) validators.set(name, ajv.compile(readJson(name) as object));
}, 60_000);
afterAll(() => tarball.remove());

const schemaNames = (): string[] =>
  readdirSync(join(folder, 'schema')).filter((name) => name.endsWith('.schema.json'));
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(folder, 'schema', name), 'utf8'));

/** What is wrong with a value; empty when nothing is. */
function mistakes(schema: string, value: unknown): string[] {
  const validate = validators.get(schema);
  if (!validate) throw new Error(`there is no ${schema}`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Runs the program of the package; exit code 1 is an answer as well. */
function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): unknown {
  const words = [join(folder, 'bin/loadout.js'), ...args, '--json'];
  const options = { cwd, env, encoding: 'utf8' as const, stdio: ['ignore', 'pipe', 'pipe'] as const };
  try {
    return JSON.parse(execFileSync(process.execPath, words, { ...options, stdio: [...options.stdio] }));
  } catch (error) {
    const { status, stdout } = error as { status?: number; stdout?: string };
    if (status !== 1) throw error;
    return JSON.parse(stdout ?? '');
  }
}

/** Every way to break a value: a field too many, a field too few, another type, at each place. */
function* broken(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  if (!isList) yield { ...value, unknownField: 1 };
  for (const [key, inner] of Object.entries(value).slice(0, isList ? 1 : undefined)) {
    const withOther = (other: unknown) => (isList ? [other, ...value.slice(1)] : { ...value, [key]: other });
    yield withOther(typeof inner === 'object' ? 7 : { is: 'wrong' });
    for (const worse of broken(inner)) yield withOther(worse);
  }
}

describe('the schemas of the packed tarball', () => {
  it('have their address as id and are all there', () => {
    expect(schemaNames()).toEqual([
      'brief.schema.json',
      'context-policy.schema.json',
      'guideline.schema.json',
      'hook-answer.schema.json',
      'loadout.config.schema.json',
      'package.schema.json',
      'rank.schema.json',
      'role.schema.json',
    ]);
    const base = CONFIG_SCHEMA_ADDRESS.slice(0, CONFIG_SCHEMA_ADDRESS.lastIndexOf('/') + 1);
    for (const name of schemaNames())
      expect(readJson(name)).toMatchObject({
        $id: base + name,
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: expect.stringMatching(/^Loadout /),
      });
  });

  it('have an entry for the catalogue of SchemaStore that finds the files', () => {
    const entries = readJson('schemastore.json') as readonly {
      readonly name: string;
      readonly description: string;
      readonly fileMatch: readonly string[];
      readonly url: string;
    }[];
    const files = (path: string) =>
      entries.filter(({ fileMatch }) => picomatch([...fileMatch], { dot: true })(path));
    for (const [path, schema] of [
      ['loadout.config.json', 'loadout.config.schema.json'],
      ['loadout.config.yml', 'loadout.config.schema.json'],
      ['.loadout/roles/reviewer.yaml', 'role.schema.json'],
      ['packages/a/.loadout/guidelines/secrets.json', 'guideline.schema.json'],
    ] as const)
      expect(files(path).map(({ url }) => url)).toEqual([(readJson(schema) as { $id: string }).$id]);
    expect(files('package.json')).toEqual([]);
    for (const entry of entries)
      expect(Object.keys(entry)).toEqual(['name', 'description', 'fileMatch', 'url']);
  });

  it('take the roles of the package and a new settings file', () => {
    const roles = readdirSync(join(folder, 'roles')).filter((name) => name.endsWith('.yaml'));
    expect(roles.length).toBeGreaterThan(3);
    for (const name of roles)
      expect(mistakes('role.schema.json', parse(readFileSync(join(folder, 'roles', name), 'utf8')))).toEqual(
        [],
      );
    const { path, env } = hookPlace();
    execFileSync(process.execPath, [join(folder, 'bin/loadout.js'), 'config', 'init'], { cwd: path, env });
    const settings = parse(readFileSync(join(path, 'loadout.config.yaml'), 'utf8'));
    expect(mistakes('loadout.config.schema.json', settings)).toEqual([]);
    expect(mistakes('loadout.config.schema.json', { tokenBudget: 'much' })).not.toEqual([]);
  });
});

describe('real output', () => {
  const outputs: [schema: string, args: readonly string[]][] = [
    ['package.schema.json', ['pack', TASK]],
    ['package.schema.json', ['pack', TASK, '--budget', '900', '--pack-order', 'stable']],
    ['package.schema.json', ['pack', '--diff', 'HEAD~1', '--line-numbers']],
    ['package.schema.json', ['pack', '--all']],
    ['rank.schema.json', ['rank', TASK]],
    ['rank.schema.json', ['rank', 'nothing of this sort: zyxwv']],
    ['brief.schema.json', ['brief', TASK]],
    ['brief.schema.json', ['brief', 'nothing of this sort: zyxwv']],
  ];

  it.each(outputs)('%s holds for %j, and for nothing that differs', (schema, args) => {
    const { path, commit, env } = place();
    writeFileSync(
      join(path, 'src/clock.ts'),
      'export interface Clock {\n  now(): number;\n  zone: string;\n}\n',
    );
    commit();
    const output = run(args, path, env);
    expect(mistakes(schema, output)).toEqual([]);
    let count = 0;
    for (const wrong of broken(output)) {
      count++;
      if (mistakes(schema, wrong).length === 0)
        throw new Error(`was taken: ${JSON.stringify(wrong).slice(0, 500)}`);
    }
    expect(count).toBeGreaterThan(10);
  });

  it('of several repositories is a package, too', () => {
    const [one, other] = [place(), place()];
    const output = run(['pack', TASK, '--repo', one.path, '--repo', other.path], one.path, one.env);
    expect(mistakes('package.schema.json', output)).toEqual([]);
  });

  it.each(HOOK_CLIENTS)('of hooks of %s is a hook answer', async (client) => {
    const { path, ask } = hookPlace();
    const answers = await askEverything(client, path, ask);
    expect(answers.some((answer) => JSON.stringify(answer).includes('refreshToken'))).toBe(true);
    for (const answer of answers) {
      expect(mistakes('hook-answer.schema.json', answer), JSON.stringify(answer)).toEqual([]);
      expect(mistakes('hook-answer.schema.json', { ...(answer as object), decision: 'allow' })).not.toEqual(
        [],
      );
    }
  });

  it('of a hook that refuses or says the wrong thing is told apart', () => {
    const nested = (output: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } });
    const denial = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
    for (const right of [{}, nested(denial), denial, { decision: 'deny', reason: 'no' }])
      expect(mistakes('hook-answer.schema.json', right)).toEqual([]);
    for (const wrong of [
      nested({}),
      nested({ additionalContext: 1 }),
      nested({ ...denial, additionalContext: 'and' }),
      { hookSpecificOutput: { additionalContext: 'for no event' } },
      { permissionDecision: 'allow', permissionDecisionReason: 'yes' },
      null,
      [],
    ])
      expect(mistakes('hook-answer.schema.json', wrong), JSON.stringify(wrong)).not.toEqual([]);
  });
});

function place() {
  const repository = temporaryRepository(PROJECT);
  const env = { PATH: process.env.PATH ?? '', HOME: repository.home, LOADOUT_CACHE_DIR: repository.cache };
  return { ...repository, env: { ...env, LOADOUT_WARM_SERVER: 'running' } };
}

/** Every event that the client was seen to send, and a prompt about the code. */
async function askEverything(
  client: HookClient,
  path: string,
  ask: ReturnType<typeof hookPlace>['ask'],
): Promise<unknown[]> {
  const seen = readdirSync(new URL('../../fixtures/hooks', import.meta.url)).includes(`${client}.jsonl`)
    ? capturedInputs(client, path)
    : [];
  const answers: unknown[] = [];
  for (const input of seen) {
    const event = String(input.hook_event_name ?? (input.prompt ? 'userPromptSubmitted' : 'preToolUse'));
    answers.push(await ask(event, input, client));
  }
  for (const event of ['user-prompt-submit', 'before-agent', 'subagent-start', 'session-start'])
    answers.push(await ask(event, { prompt: TASK, session_id: `s-${event}` }, client));
  return answers;
}

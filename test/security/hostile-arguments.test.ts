import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentStart, NamedWorker } from '../../src/agents/agent-worker.ts';
import { WORKER_NAMES, type WorkerName, workerOf } from '../../src/agents/table.ts';
import { LoadoutError } from '../../src/model/loadout-error.ts';
import type { SafeRoot } from '../../src/platform/fs/safe-root.ts';
import { kitFor, say, scriptAgent } from '../../src/workers/run.test-kit.ts';
import { runRole } from '../../src/workers/run-role.ts';
import { temporaryRepository } from '../support/temporary-repository.ts';

const START: AgentStart = {
  cwd: '/repo',
  permissions: 'edit',
  model: null,
  flags: [],
  schema: null,
  schemaFile: null,
  resume: null,
};
/** Where a role, a flag of the user or an answer of the agent brings a value to the command line. */
const FED = ['model', 'resume'] as const;
const HOSTILE = [
  ...['--yolo', '-c', '-', '--', '--attach=http://evil.example', '--dangerously-skip-permissions', '-p'],
  ...[
    '',
    ' ',
    ' --yolo',
    'opus --yolo',
    'opus\n--yolo',
    'opus\0',
    '\t-c',
    'opus\r',
    '\u2013yolo',
    '\u00a0-c',
  ],
  ...['$(touch x)', '`touch x`', 'a;b', 'a|b', 'a&b', 'a"b', "a'b", 'a\\b', 'a=b', 'a>b', '%PATH%', 'a,b'],
  ...['@{x}', '*', '?', '~/x', '{a,b}', '!x', '#x', 'o\u202epus', 'opus\u200b', 'ορus', 'x'.repeat(201)],
];
const REAL: Readonly<Record<WorkerName, readonly string[]>> = {
  claude: ['opus', 'sonnet[1m]', 'claude-opus-4-1-20250805', 'us.anthropic.claude-sonnet-4-20250514-v1:0'],
  codex: ['gpt-5.1-codex-max', 'o4-mini'],
  gemini: ['gemini-2.5-pro', 'models/gemini-2.5-flash'],
  qwen: ['qwen3-coder-plus', 'Qwen/Qwen3-Coder-480B-A35B-Instruct'],
  opencode: [
    'anthropic/claude-sonnet-4-5',
    'openrouter/z-ai/glm-4.6:free',
    'vertex/claude-opus-4-1@20250805',
  ],
  copilot: ['claude-sonnet-4.5', 'gpt-5'],
};

describe.each(WORKER_NAMES)('the command line of %s', (name) => {
  const args = (given: Partial<AgentStart>) => workerOf(name).start({ ...START, ...given }).args;

  it.each(FED)('takes no hostile %s', (field) => {
    for (const value of HOSTILE)
      expect(() => args({ [field]: value }), JSON.stringify(value)).toThrow(LoadoutError);
  });

  it('takes the models that its users name', () => {
    for (const model of REAL[name])
      expect(args({ model }).filter((one) => one === `--model=${model}`)).toHaveLength(1);
  });

  it.each(FED)('has one argument more for a %s, and no option that was not there', (field) => {
    const added = args({ [field]: 'NAME' }).length - args({}).length;
    const optionsIn = (all: readonly string[]) =>
      all.filter((one) => one.startsWith('-')).map((one) => one.split('=')[0]);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^-*[\w.:/@[\]-]{1,20}$/)), (value) => {
        try {
          const built = args({ [field]: value });
          expect(built).toHaveLength(args({}).length + added);
          expect(optionsIn(built)).toEqual(optionsIn(args({ [field]: 'NAME' })));
        } catch (error) {
          if (!(error instanceof LoadoutError)) throw error;
          expect(error.code).toBe('bad-argument');
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** A run of the implementer with what the repository says, and how its agent was started. */
function runIn(
  roles: Readonly<Record<string, string>>,
  isTrusted: boolean,
  given: Partial<NamedWorker> = {},
) {
  const files = Object.entries(roles).map(([name, text]) => [`.loadout/roles/${name}.yaml`, text]);
  const repository = temporaryRepository({ 'a.txt': 'one\n', ...Object.fromEntries(files) });
  const starts: AgentStart[] = [];
  const agent = scriptAgent(`touch "${join(repository.home, 'started')}"; cat > /dev/null; ${say()}`, given);
  const recording: NamedWorker = {
    ...agent,
    start: (options) => {
      starts.push(options);
      return agent.start(options);
    },
  };
  const { environment, request, prompts } = kitFor(repository, recording);
  const trusting = { ...environment, readTrust: async (root: SafeRoot) => ({ root, isTrusted }) };
  const run = (more = {}) => runRole({ ...request, maxRetries: 1, ...more }, trusting).result;
  return { run, starts, prompts, hasStarted: () => existsSync(join(repository.home, 'started')) };
}

const implementer = (more: string) => `name: implementer\nextends: implementer\n${more}`;

describe('a model that a repository names', () => {
  it.each(['config: {model: opus}\n', 'x-model: opus\n'])(
    'is not used until the repository is trusted: %s',
    async (says) => {
      const { run, starts, hasStarted } = runIn({ implementer: implementer(says) }, false);
      await expect(run()).rejects.toMatchObject({
        code: 'not-trusted',
        message: expect.stringContaining('model "opus"'),
      });
      expect([starts, hasStarted()]).toEqual([[], false]);
      const trusted = runIn({ implementer: implementer(says) }, true);
      expect((await trusted.run()).outcome).toBe('passed');
      expect(trusted.starts.map(({ model }) => model)).toEqual(['opus']);
    },
  );

  it('does not override the model that the user names', async () => {
    const { run, starts } = runIn({ implementer: implementer('x-model: opus\n') }, false);
    expect((await run({ model: 'haiku' })).outcome).toBe('passed');
    expect(starts.map(({ model }) => model)).toEqual(['haiku']);
  });

  it.each(['config: {model: "--yolo"}\n', 'x-model: --attach=http://evil.example\n', 'x-model: 3\n'])(
    'is refused, with its position, when it is not a valid name, trusted or not: %s',
    async (says) => {
      for (const isTrusted of [true, false]) {
        const { run, hasStarted } = runIn({ implementer: implementer(says) }, isTrusted);
        await expect(run()).rejects.toMatchObject({
          message: expect.stringMatching(/implementer\.yaml:3:\d+: /),
        });
        expect(hasStarted()).toBe(false);
      }
    },
  );
});

it('a model that the user names is checked before anything is started', async () => {
  const { run, hasStarted } = runIn({}, false);
  for (const model of HOSTILE)
    await expect(run({ model }), JSON.stringify(model)).rejects.toMatchObject({ code: 'bad-argument' });
  expect(hasStarted()).toBe(false);
});

it('a session with an invalid id is not continued: the agent gets a new prompt that says what was wrong', async () => {
  for (const sessionId of ['--yolo', '-', '--last', 'a b', '$(touch x)']) {
    const { read } = scriptAgent('');
    const { run, starts, prompts } = runIn({}, false, {
      canResume: true,
      read: (output) => ({ ...read(output), text: 'no answer', sessionId }),
    });
    await run();
    expect(starts.map(({ resume }) => resume)).toEqual([null, null]);
    expect(prompts[1]).toHaveProperty('feedback');
  }
}, 30_000);

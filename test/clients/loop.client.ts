import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { callCli } from '../../src/surfaces/cli/call-cli.test-kit.ts';
import { node } from '../../src/workers/loop/loop.test-kit.ts';
import { temporaryRepository } from '../support/temporary-repository.ts';
import { type ModelStub, startModelStub } from './stub/model-stub.ts';
import { allText, type ModelRequest, type Reply, type ToolCall } from './stub/reply.ts';

const LOOP = '.loadout/loop';
const TREE = `${LOOP}/state/tree.json`;
const GUARD_WORDS = 'two.txt must not be bad';
const GUARD = `if grep -q bad two.txt 2>/dev/null; then echo "${GUARD_WORDS}"; exit 1; fi`;

let stub: ModelStub | null = null;
afterEach(() => stub?.close());

const write = (path: string, content: string): ToolCall => ({
  names: ['Write'],
  input: () => ({ file_path: path, content }),
});
const read = (path: string): ToolCall => ({ names: ['Read'], input: () => ({ file_path: path }) });

it('a tree of three leaves passes: one fails its guard first, one is decomposed', {
  timeout: 240_000,
}, async () => {
  const repository = temporaryRepository({ 'a.txt': 'a\n' });
  const { path, git, home, cache } = repository;
  git('switch', '--quiet', '-c', 'work');

  const decomposed = (): string => {
    const tree = JSON.parse(readFileSync(join(path, TREE), 'utf8'));
    tree.children[2].children = [node('three-a')];
    return JSON.stringify(tree);
  };
  const plan = (request: ModelRequest): { calls: ToolCall[]; status: string } => {
    const said = allText(request);
    const id = /^id: (.+)$/m.exec(said)?.[1] ?? '';
    if (id === 'three') return { calls: [read(TREE), write(TREE, decomposed())], status: 'decomposed' };
    if (id !== 'two') return { calls: [write(`${id}.txt`, 'good\n')], status: 'done' };
    if (!said.includes('# Failure')) return { calls: [write('two.txt', 'bad\n')], status: 'done' };
    // Puts it right only because of what the file says.
    const results = request.messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
    const knows = results.some((text) => text.includes(GUARD_WORDS));
    const look = [read(`${LOOP}/context/failure.md`), read('two.txt')];
    return { calls: [...look, write('two.txt', knows ? 'good\n' : 'bad\n')], status: 'done' };
  };
  const model = (request: ModelRequest): Reply => {
    const { calls, status } = plan(request);
    const next = calls[request.messages.filter(({ role }) => role === 'tool').length];
    if (next) return { kind: 'tools', text: 'Let me work.', calls: [next] };
    const value = { status, summary: 'worked on it' };
    if (request.wantsStructure) return { kind: 'structured', value };
    return { kind: 'text', text: `Done.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n` };
  };
  stub = await startModelStub(model);
  const env = { ...stub.environment(home), LOADOUT_CACHE_DIR: cache };
  const call = (...argv: string[]) => callCli(['loop', ...argv], { cwd: path, env });

  const leaves = ['one', 'two', 'three'].map((id, order) => node(id, { order }));
  const started = await call('start', '--goal', JSON.stringify(node('root', { children: leaves })));
  expect(started).toMatchObject({ exitCode: 0, stderr: '' });
  const ran = await call('run', '--cli', 'claude', '--guard', GUARD);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  expect(git('log', '--reverse', '--format=%s', 'main..HEAD').trim().split('\n')).toEqual([
    'loadout loop: start',
    'loadout loop: one done, guard pass',
    'loadout loop: two done, guard fail',
    'loadout loop: two done, guard pass',
    'loadout loop: three decomposed, guard skipped',
    'loadout loop: three-a done, guard pass',
  ]);
  expect(readFileSync(join(path, 'two.txt'), 'utf8')).toBe('good\n');
  expect(git('status', '--porcelain')).toBe('');
  expect(stub.strays).toEqual([]);
});

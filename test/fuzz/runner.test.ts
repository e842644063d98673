import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProgram, bundleProgram } from './bundle.ts';
import { describeFault, readFuzzArguments, UsageError } from './command-line.ts';
import { CLASS_NAMES } from './fuzz-class.ts';
import { Random } from './random.ts';
import { runFuzzClass } from './runner.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let program: BundledProgram;
beforeAll(async () => {
  program = await bundleProgram(root, 'faulty-program');
});
afterAll(() => program.remove());

/** With it, the third of five inputs is the one with the fault. */
function seedFor(name: string): number {
  const numbers = (seed: number) => [0, 1, 2, 3, 4].map((at) => Random.for(name, seed, at).below(10));
  for (let seed = 0; ; seed++)
    if (numbers(seed).every((number, at) => (number === 0) === (at === 2))) return seed;
}

const run = (name: string, seed = seedFor(name)) =>
  runFuzzClass({ name, seed, from: 0, count: 5 }, { program: program.path, limitMs: 700 });

describe('the runner of the fuzz suite', () => {
  it('counts results and documented errors', async () => {
    expect(await run('fine')).toMatchObject({ inputs: 5, results: 4, errors: 1, faults: [] });
  });

  it.each([
    ['crash', 'error', /TypeError: not a function/],
    ['rejection', 'unhandled', /nobody waits/],
    ['circle', 'hang', /no end within 700 ms/],
    ['never-settles', 'hang', /no end within 700 ms/],
    ['exit', 'exit', /the process ended \(0\)/],
    ['leak-upwards', 'leak', /export function/],
    ['leak-by-link', 'leak', /export function/],
    ['leak-by-folder', 'leak', /export function/],
    ['leak-in-error', 'leak', /export function/],
  ])('reports %s with its input, and goes on', async (name, kind, detail) => {
    const { inputs, seed, faults } = await run(name);
    expect(inputs).toBe(5);
    const input = Buffer.from('input 0').toString('base64');
    expect(faults).toEqual([{ kind, at: 2, detail: expect.stringMatching(detail), input }]);
    const said = describeFault({ name, seed }, faults[0]!);
    expect(said).toContain(`npm run fuzz -- --class ${name} --seed ${seed} --from 2 --count 1`);
    expect(said).toContain(input);
  });

  it('says when a class cannot be set up', async () => {
    await expect(run('no-set-up')).rejects.toThrow(/no-set-up: the set-up failed: .*no room left/s);
  });
});

describe('npm run fuzz', () => {
  it('runs all classes with 10,000 inputs each by default, and other numbers on request', () => {
    expect(readFuzzArguments([])).toMatchObject({
      classes: CLASS_NAMES,
      from: 0,
      count: 10_000,
      input: null,
    });
    const words = ['--class', 'selectors', '--class=answers', '--seed', '123', '--count', '5', '--from', '9'];
    expect(readFuzzArguments(words)).toEqual({
      classes: ['selectors', 'answers'],
      seed: 123,
      from: 9,
      count: 5,
      input: null,
    });
    expect(readFuzzArguments(['--class', 'answers', '--input', 'eA=='])).toMatchObject({
      count: 1,
      input: 'eA==',
    });
    expect(readFuzzArguments(['--help'])).toBeNull();
  });

  it.each([
    [['--class', 'nope'], '--class: there is no class "nope"; there are role-yaml, templates'],
    [['--seed', '-1'], '--seed'],
    [['--seed', '1.5'], '--seed: "1.5" is not a whole number from 0 to 4294967295'],
    [['--count', '0'], '--count: "0" is not a whole number from 1 to 100000000'],
    [['--count', ''], '--count: "" is not a whole number'],
    [['--colour'], "Unknown option '--colour'"],
    [['selectors'], 'selectors'],
    [['--input', 'eA=='], '--input needs one --class'],
    [['--class', 'answers', '--input', '%'], '--input is not base64'],
  ])('refuses %j', (words, message) => {
    expect(() => readFuzzArguments(words)).toThrow(UsageError);
    expect(() => readFuzzArguments(words)).toThrow(message);
  });
});

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCALE } from '../support/scale.ts';
import { type BundledProgram, bundleProgram } from './bundle.ts';
import { describeFault } from './command-line.ts';
import type { ClassName } from './fuzz-class.ts';
import { runFuzzClass } from './runner.ts';

const SEED = 20_260_711;

/** As many inputs as fit into a second or so; `npm run fuzz` runs 10,000 of each. */
const INPUTS: Readonly<Record<ClassName, number>> = {
  'role-yaml': 60,
  templates: 600,
  'hook-json': 120,
  'mcp-calls': 40,
  selectors: 600,
  'ignore-files': 400,
  'index-bytes': 120,
  'git-output': 500,
  answers: 250,
};

const root = fileURLToPath(new URL('../..', import.meta.url));
let program: BundledProgram;
beforeAll(async () => {
  program = await bundleProgram(root, 'program');
});
afterAll(() => program.remove());

describe('hostile inputs end in time, in a result or a documented error, and show nothing from outside the root', () => {
  it.each(Object.entries(INPUTS))('%s', { timeout: 120_000 * SCALE }, async (name, count) => {
    const report = await runFuzzClass(
      { name, seed: SEED, from: 0, count: count * SCALE },
      { program: program.path },
    );
    expect(report.faults.map((fault) => describeFault(report, fault)).join('\n')).toBe('');
    expect(report.inputs).toBe(count * SCALE);
    // inputs that are all refused at the door would test nothing but the door
    expect(report.results).toBeGreaterThan(count / 20);
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleProgram } from './bundle.ts';
import { CLASS_NAMES } from './fuzz-class.ts';
import { type FoundFault, type FuzzReport, type FuzzRequest, runFuzzClass } from './runner.ts';

const DEFAULT_COUNT = 10_000;
const MAX_COUNT = 100_000_000;
const MAX_SEED = 4_294_967_295;
const INTERRUPTIONS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;
/** Longer ones are made again from the seed. */
const SHOWN_INPUT = 6_000;

const HELP = `npm run fuzz -- [options]

Runs hostile inputs through the code that reads them. Each input must end within two seconds, in a result or in a
documented error, and must bring nothing to light that lies outside of the repository. Exit code 1 when one does not.

  --class NAME    one class of inputs; may be given more than once (default: all of them)
                  ${CLASS_NAMES.slice(0, 5).join(', ')},
                  ${CLASS_NAMES.slice(5).join(', ')}
  --count N       inputs for each class (default: ${DEFAULT_COUNT})
  --seed N        which inputs, a whole number from 0 to ${MAX_SEED} (default: another one each time)
  --from N        the number of the first input (default: 0)
  --input BASE64  this input in the place of generated ones; needs one --class
  --help          this text

Replay a fault with what is printed for it:
  npm run fuzz -- --class selectors --seed 123 --from 4711 --count 1
`;

export interface FuzzArguments {
  readonly classes: readonly string[];
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly input: string | null;
}

/** The problem with the arguments, in a sentence. */
export class UsageError extends Error {}

/** Null when help is wanted. */
export function readFuzzArguments(words: readonly string[]): FuzzArguments | null {
  const { values } = parsed(words);
  if (values.help) return null;
  const classes = values.class ?? [...CLASS_NAMES];
  for (const name of classes)
    if (!(CLASS_NAMES as readonly string[]).includes(name))
      throw new UsageError(`--class: there is no class "${name}"; there are ${CLASS_NAMES.join(', ')}`);
  const input = values.input ?? null;
  if (input !== null && classes.length !== 1) throw new UsageError('--input needs one --class');
  if (input !== null && Buffer.from(input, 'base64').toString('base64') !== input)
    throw new UsageError('--input is not base64');
  return {
    classes: [...new Set(classes)],
    seed: wholeNumber('--seed', values.seed, 0, MAX_SEED) ?? Math.floor(Math.random() * MAX_SEED),
    from: wholeNumber('--from', values.from, 0, MAX_COUNT) ?? 0,
    count: input === null ? (wholeNumber('--count', values.count, 1, MAX_COUNT) ?? DEFAULT_COUNT) : 1,
    input,
  };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        class: { type: 'string', multiple: true },
        seed: { type: 'string' },
        from: { type: 'string' },
        count: { type: 'string' },
        input: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function wholeNumber(flag: string, given: string | undefined, least: number, most: number): number | null {
  if (given === undefined) return null;
  const number = Number(given);
  if (/^\d{1,12}$/.test(given) && number >= least && number <= most) return number;
  throw new UsageError(`${flag}: "${given}" is not a whole number from ${least} to ${most}`);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Resolves to the exit code. */
export async function fuzz(root: string, words: readonly string[]): Promise<number> {
  let given: FuzzArguments | null;
  try {
    given = readFuzzArguments(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`fuzz: ${error.message}\nSee npm run fuzz -- --help\n`);
    return 2;
  }
  if (given === null) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!existsSync(join(root, 'dist/scan-worker.js'))) {
    process.stderr.write('fuzz: dist/ is missing; run "npm run build" first\n');
    return 2;
  }
  const { classes, seed, from, count, input } = given;
  const program = await bundleProgram(root, 'program');
  process.once('exit', program.remove);
  for (const [signal, code] of INTERRUPTIONS) process.once(signal, () => process.exit(code));
  const reports: FuzzReport[] = [];
  for (const name of classes) {
    const request: FuzzRequest = { name, seed, from, count, ...(input === null ? {} : { input }) };
    const started = performance.now();
    const report = await runFuzzClass(request, {
      program: program.path,
      onProgress: progressOf(name, count),
    });
    reports.push(report);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    say(describeReport(report, performance.now() - started));
    for (const fault of report.faults) say(describeFault(report, fault));
  }
  const faults = reports.reduce((sum, report) => sum + report.faults.length, 0);
  const inputs = reports.reduce((sum, report) => sum + report.inputs, 0);
  say(
    `${grouped(inputs)} inputs of ${reports.length} classes, seed ${seed}: ${faults === 0 ? 'no fault' : `${faults} faults`}`,
  );
  return faults === 0 ? 0 : 1;
}

/** A line that is written over on a terminal, and a line for every quarter elsewhere. */
function progressOf(name: string, count: number): (done: number) => void {
  const step = Math.max(1, process.stderr.isTTY ? Math.floor(count / 200) : Math.ceil(count / 4));
  return (done) => {
    if (done === 0 || done % step !== 0) return;
    const line = `${name}: ${grouped(done)} of ${grouped(count)}`;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
}

const grouped = (number: number): string => number.toLocaleString('en-US');

function describeReport(
  { name, inputs, results, errors, slowestMs, slowestAt, faults }: FuzzReport,
  ms: number,
): string {
  const ended = `${grouped(results)} results, ${grouped(errors)} errors`;
  const slowest = `slowest ${slowestMs.toFixed(0)} ms (input ${slowestAt})`;
  const found = faults.length === 0 ? 'no fault' : `${faults.length} FAULTS`;
  return `${name.padEnd(14)}${grouped(inputs)} inputs in ${(ms / 1000).toFixed(1)} s: ${ended}, ${slowest}, ${found}`;
}

/** The fault, and the command that repeats it. */
export function describeFault({ name, seed }: Pick<FuzzReport, 'name' | 'seed'>, fault: FoundFault): string {
  const { kind, detail, at, input } = fault;
  const long = input.length > SHOWN_INPUT;
  return [
    `\n${name}, input ${at}: ${kind}`,
    detail.trimEnd(),
    `replay: npm run fuzz -- --class ${name} --seed ${seed} --from ${at} --count 1`,
    long ? `input: ${input.length} characters of base64, from the seed` : `input: ${input}`,
    '',
  ].join('\n');
}

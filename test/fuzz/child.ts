import { LoadoutError } from '../../src/model/loadout-error.ts';
import { createWorld } from './environment.ts';
import type { FuzzClass } from './fuzz-class.ts';
import type { ChildMessage, Fault, Work } from './messages.ts';
import { Random } from './random.ts';

const say = (message: ChildMessage) => void process.send?.(message);
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Runs inputs of one class for the process that started this one. */
export function serveClasses(classes: Readonly<Record<string, FuzzClass>>): void {
  process.once('message', (work: Work) => {
    const one = classes[work.name]!;
    const inputAt = (at: number) =>
      work.input === null
        ? one.generate(Random.for(work.name, work.seed, at))
        : Buffer.from(work.input, 'base64');
    if (work.kind === 'show') {
      say({ kind: 'input', input: inputAt(work.from).toString('base64') });
      process.disconnect?.();
      return;
    }
    const run = async () => {
      try {
        say(await runInputs(one, work, inputAt));
      } catch (error) {
        // of the set-up: faults of inputs are reported one by one
        process.stderr.write(`${describe(error)}\n`);
        process.exitCode = 1;
      }
      process.disconnect?.();
    };
    void run();
  });
}

async function runInputs(
  one: FuzzClass,
  { from, count, home }: Work,
  inputAt: (at: number) => Buffer,
): Promise<ChildMessage> {
  const environment = createWorld(home);
  let stray: unknown = null;
  process.on('unhandledRejection', (error) => {
    stray ??= error ?? new Error('rejected without a reason');
  });
  process.on('uncaughtException', (error) => {
    stray ??= error ?? new Error('thrown without a reason');
  });
  const state = await one.setUp(environment);
  let [results, errors, slowestMs, slowestAt] = [0, 0, 0, from];

  const runOne = async (input: Buffer): Promise<Fault | null> => {
    let output: string | Buffer;
    try {
      output = await one.run(state, input);
      results++;
    } catch (error) {
      errors++;
      if (!(error instanceof LoadoutError) && !one.isDocumented?.(error))
        return { kind: 'error', detail: describe(error) };
      output = shownError(error);
    }
    await nextTurn();
    if (stray !== null) {
      const error = stray;
      stray = null;
      return { kind: 'unhandled', detail: describe(error) };
    }
    if (!output.includes(environment.canary)) return null;
    const at = output.indexOf(environment.canary);
    return { kind: 'leak', detail: String(output.slice(Math.max(0, at - 100), at + 100)) };
  };

  for (let at = from; at < from + count; at++) {
    const input = inputAt(at);
    const expanded = environment.expand(input);
    say({ kind: 'begin', at });
    const started = performance.now();
    const fault = await runOne(expanded);
    const spent = performance.now() - started;
    if (spent > slowestMs) [slowestMs, slowestAt] = [spent, at];
    if (fault) say({ kind: 'fault', at, fault, input: input.toString('base64') });
  }
  await one.tearDown?.(state);
  return { kind: 'done', results, errors, slowestMs, slowestAt };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : `thrown: ${String(error)}`;
}

function shownError(error: unknown): string {
  const {
    message = '',
    hint = '',
    subject = '',
  } = error as { message?: string; hint?: string; subject?: string };
  return `${message}\n${hint}\n${subject}`;
}

import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  type TemporaryRepository,
  temporaryRepository,
} from '../../../../test/support/temporary-repository.ts';
import { AS_LEARNED } from '../../../context/evaluate/signal-table.ts';
import { writeTunedWeights } from '../../../context/evaluate/tuned-weights.ts';
import { openRepository } from '../../../scan/repository.ts';
import { openRepositoryRoot, openSettings } from '../../shared/open-settings.ts';
import { buildProgram } from '../build-program.ts';
import type { CliIo, CommandCall } from '../command.ts';
import { createOutput } from '../views/output.ts';
import { evaluate } from './eval.ts';

function sink(write: (text: string) => void): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      write(String(chunk));
      done();
    },
  });
}

/** The command as the program runs it; what it prints. */
async function call({ path, cache, home }: TemporaryRepository, ...argv: string[]): Promise<string> {
  let printed = '';
  const io: CliIo = {
    stdout: sink((text) => {
      printed += text;
    }),
    stderr: sink(() => {}),
    stdin: Readable.from([]),
    env: { HOME: home, LOADOUT_CONFIG_DIR: home, LOADOUT_CACHE_DIR: cache },
    cwd: path,
    isTerminal: { stdout: false, stderr: false },
    columns: 80,
    onInterrupt: () => () => {},
    forceExit: () => {},
  };
  const program = buildProgram([evaluate], io, async (parsed) => {
    const repository = () => openRepositoryRoot(io, parsed.global);
    await parsed.command.run({
      ...parsed,
      io,
      output: createOutput(io, parsed.global),
      signal: new AbortController().signal,
      repository,
      repositories: () => [repository()],
      settings: () => openSettings(io, parsed.global, parsed.settingFlags, repository()),
    });
  });
  await program.parseAsync(['--repo', path, ...argv], { from: 'user' });
  return printed;
}

/** Flags are read before anything else is asked for. */
const callWith = (flags: CommandCall['flags']) => evaluate.run({ flags } as CommandCall);

describe('loadout eval', () => {
  it('ranks and packs a past commit, as data and for people', async () => {
    const repository = temporaryRepository({ 'src/clock.ts': 'export const clock = 1;\n' });
    repository.write('src/clock.ts', 'export const clock = 2;\n');
    repository.git('commit', '--all', '--quiet', '--message=Turn the clock forward');
    const answer = JSON.parse(await call(repository, '--json', 'eval', '--commits', '1', '--budgets', '4k'));
    const all = { within1: 1, within10: 1, budgets: [{ budget: 4_000, all: 1, share: 1 }] };
    expect(answer).toMatchObject({
      head: repository.git('rev-parse', 'HEAD').trim(),
      summary: { commits: 1, ranking: all, plain: all },
      tuning: null,
      commits: [{ subject: 'Turn the clock forward', changed: ['src/clock.ts'] }],
    });
    expect(await call(repository, 'eval', '--no-pack')).toMatch(/^all among the first 10 +100 % +100 %$/m);
  });

  it('forgets the learned weights with --reset', async () => {
    const repository = temporaryRepository({ a: 'x' });
    writeTunedWeights(await openRepository(repository.path, repository.cache), repository.cache, AS_LEARNED);
    expect(await call(repository, 'eval', '--reset')).toContain('are forgotten');
    expect(await call(repository, 'eval', '--reset')).toContain('there were no weights');
  });

  it.each(['0', '-1', '1.5', 'many', '1001', ''])('refuses --commits %j', async (commits) => {
    await expect(callWith({ commits })).rejects.toMatchObject({ code: 'bad-flag', subject: '--commits' });
  });

  it.each(['', '8k,,32k', '-5', '50%', 'lots'])('refuses --budgets %j', async (budgets) => {
    await expect(callWith({ budgets })).rejects.toMatchObject({ code: 'bad-budget' });
  });
});

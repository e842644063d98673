import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type CliIo, main } from './main.ts';

export interface CommandWorld {
  readonly home: string;
  readonly repository: string;
  readonly config: string;
  write(path: string, text: string): void;
  run(
    argv: readonly string[],
    stdin?: { readonly text: string; readonly isTerminal: boolean },
  ): Promise<Finished>;
  remove(): void;
}

export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with a repository, a cache and a config directory, and the command line to work on it. */
export function commandWorld(files: Readonly<Record<string, string>>): CommandWorld {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-cli-')));
  const repository = join(home, 'repository');
  const config = join(home, 'config');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  mkdirSync(repository);
  for (const [path, text] of Object.entries(files)) write(path, text);
  const run: CommandWorld['run'] = async (argv, stdin = { text: '', isTerminal: false }) => {
    const written = { stdout: '', stderr: '' };
    const into = (name: keyof typeof written) =>
      new Writable({
        write: (chunk, _encoding, done) => {
          written[name] += String(chunk);
          done();
        },
      });
    const io: CliIo = {
      stdout: into('stdout'),
      stderr: into('stderr'),
      stdin: Object.assign(Readable.from(stdin.text === '' ? [] : [stdin.text]), { isTTY: stdin.isTerminal }),
      env: { HOME: home, LOADOUT_CONFIG_DIR: config, LOADOUT_CACHE_DIR: join(home, 'cache'), NO_COLOR: '1' },
      cwd: repository,
      isTerminal: { stdout: stdin.isTerminal, stderr: stdin.isTerminal },
      columns: 80,
      onInterrupt: () => () => {},
      forceExit: () => {},
    };
    const exitCode = await main(['--repo', repository, ...argv], io);
    return { exitCode, ...written };
  };
  return {
    home,
    repository,
    config,
    write,
    run,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

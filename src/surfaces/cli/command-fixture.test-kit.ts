import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CliCall, callCli } from './call-cli.test-kit.ts';

export interface CommandFixture {
  readonly home: string;
  readonly repository: string;
  readonly config: string;
  write(path: string, text: string): void;
  run(
    argv: readonly string[],
    stdin?: { readonly text: string; readonly isTerminal: boolean },
  ): Promise<CliCall>;
  remove(): void;
}

/** A folder with a repository, a cache and a config directory, and the command line to work on it. */
export function commandFixture(files: Readonly<Record<string, string>>): CommandFixture {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-cli-')));
  const repository = join(home, 'repository');
  const config = join(home, 'config');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  mkdirSync(repository);
  for (const [path, text] of Object.entries(files)) write(path, text);
  const run: CommandFixture['run'] = async (argv, stdin = { text: '', isTerminal: false }) => {
    return callCli(['--repo', repository, ...argv], {
      cwd: repository,
      env: {
        HOME: home,
        LOADOUT_CONFIG_DIR: config,
        LOADOUT_CACHE_DIR: join(home, 'cache'),
        LOADOUT_WARM_SERVER: 'running',
        NO_COLOR: '1',
      },
      stdin: stdin.text,
      isTerminal: stdin.isTerminal,
    });
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

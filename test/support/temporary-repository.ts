import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface TemporaryRepository {
  /** The work tree. */
  readonly path: string;
  /** An empty cache directory beside it. */
  readonly cache: string;
  /** The folder around both, for whatever else a test needs. */
  readonly home: string;
  write(path: string, content: string | Buffer): void;
  git(...args: string[]): string;
  commit(): void;
}

export type FileContents = Readonly<Record<string, string | Buffer>>;

const IDENTITY = [
  ...['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgSign=false'],
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0'],
];

/** Called with what is to be done at the end: of the test, unless several tests share the folder. */
type WhenDone = (remove: () => void) => void;

/** A folder with a work tree of these files and a cache directory; gone when the test ends. */
export function temporaryFolder(
  files: FileContents = {},
  whenDone: WhenDone = onTestFinished,
): TemporaryRepository {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-scan-')));
  whenDone(() => rmSync(home, { recursive: true, force: true }));
  return repositoryIn(home, files);
}

/** The same, as a git repository with all files in one commit. */
export function temporaryRepository(
  files: FileContents = {},
  whenDone: WhenDone = onTestFinished,
): TemporaryRepository {
  const repository = temporaryFolder(files, whenDone);
  repository.git('init', '--quiet', '--initial-branch=main');
  if (Object.keys(files).length > 0) repository.commit();
  return repository;
}

export function gitIn(path: string): (...args: string[]) => string {
  return (...args) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: path, encoding: 'utf8', stdio: 'pipe' });
}

function repositoryIn(home: string, files: FileContents): TemporaryRepository {
  const path = join(home, 'repo');
  const cache = join(home, 'cache');
  mkdirSync(path);
  mkdirSync(cache);
  const git = gitIn(path);
  const write = (name: string, content: string | Buffer) => {
    const target = join(path, name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return {
    path,
    cache,
    home,
    write,
    git,
    commit: () => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message=step');
    },
  };
}

import { execFileSync } from 'node:child_process';
import { temporaryDirectory } from './temporary-directory.ts';
import { writeFiles } from './write-files.ts';

export interface TestRepository {
  readonly path: string;
  git(...args: string[]): string;
}

const IDENTITY = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgSign=false'];

/** A real repository with one commit of these files (none: no commit). */
export function gitRepository(files: Readonly<Record<string, string | Buffer>> = {}): TestRepository {
  const path = temporaryDirectory();
  const git = gitIn(path);
  git('init', '--quiet', '--initial-branch=main');
  writeFiles(path, files);
  if (Object.keys(files).length > 0) {
    git('add', '--all');
    git('commit', '--quiet', '--message=first');
  }
  return { path, git };
}

export function gitIn(path: string): (...args: string[]) => string {
  return (...args) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: path, encoding: 'utf8', stdio: 'pipe' });
}

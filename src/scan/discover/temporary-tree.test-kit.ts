import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { decodePath } from '../../platform/fs/path-codec.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { type GitClient, openGit } from '../../platform/git/git.ts';
import {
  type DiscoverOptions,
  type Discovery,
  discoverFiles,
  type LanguageDetector,
} from './discover-files.ts';

const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

const trees: string[] = [];

export function temporaryTree(): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'discover-')));
  trees.push(tree);
  return tree;
}

export function removeTrees(): void {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
}

afterAll(removeTrees);

export function write(tree: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(tree, path, '..'), { recursive: true });
    writeFileSync(join(tree, path), content);
  }
}

/** Makes the files that git needs of `git init`, without starting a process. */
export function initRepository(tree: string): void {
  mkdirSync(join(tree, '.git/objects'), { recursive: true });
  mkdirSync(join(tree, '.git/refs'), { recursive: true });
  writeFileSync(join(tree, '.git/HEAD'), 'ref: refs/heads/main\n');
}

export function git(tree: string, args: readonly string[], input: Buffer | string = ''): Buffer {
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd: tree,
    env: ENVIRONMENT,
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export function gitPaths(tree: string, args: readonly string[]): string[] {
  const lines = git(tree, ['ls-files', '-z', ...args])
    .toString('latin1')
    .split('\0')
    .slice(0, -1);
  return lines.map((line) => decodePath(Buffer.from(line, 'latin1')));
}

/** Knows three languages by their ending and one by its first line. */
export const detect: LanguageDetector = (path, head) => {
  if (path.endsWith('.ts')) return { id: 'typescript', kind: 'code', isTest: false };
  if (path.endsWith('.json')) return { id: 'json', kind: 'data', isTest: false };
  if (path.endsWith('.md')) return { id: 'markdown', kind: 'prose', isTest: false };
  return head?.startsWith('#!/bin/sh') ? { id: 'shell', kind: 'code', isTest: false } : null;
};

const DEFAULTS: DiscoverOptions = { include: [], exclude: [], maxFileBytes: 2_000_000, maxFiles: 200_000 };

export async function gitClient(directory: string): Promise<GitClient> {
  const opening = await openGit(directory);
  if (opening.kind === 'none') throw new Error(`${opening.reason}: ${opening.detail}`);
  return opening.client;
}

export async function discoverWithGit(
  directory: string,
  options: Partial<DiscoverOptions> = {},
): Promise<Discovery> {
  return discoverFiles(openSafeRoot(directory), await gitClient(directory), detect, {
    ...DEFAULTS,
    ...options,
  });
}

export function discoverByWalk(
  directory: string,
  options: Partial<DiscoverOptions> = {},
): Promise<Discovery> {
  return discoverFiles(openSafeRoot(directory), null, detect, { ...DEFAULTS, ...options });
}

export function pathsOf(discovery: Discovery): string[] {
  return discovery.files.map((file) => file.path);
}

/** Processor time, because other work on the machine must not fail a test. */
export async function cpuMilliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

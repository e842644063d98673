// Starts the inspector on a made-up repository and opens it in a real Chromium. Needs a build.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');
export const PROGRAM = join(ROOT, 'bin/loadout.js');
const CHROMIUM = process.env.LOADOUT_TEST_CHROMIUM ?? '/usr/bin/chromium';

/** A repository, its cache and the environment of the program. */
export interface Place {
  readonly home: string;
  readonly repository: string;
  /** Where hooks keep their records. */
  readonly cache: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

export function makePlace(files: Readonly<Record<string, string>>): Place {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-browser-')));
  const repository = join(home, 'repository');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  return {
    ...{ home, repository, cache: join(home, 'cache/loadout') },
    env: {
      ...process.env,
      HOME: home,
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_CONFIG_HOME: join(home, 'config'),
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Each commit changes one file by a line. Subjects may be anything, so they go in as bytes. */
export function makeCommits(
  { repository }: Place,
  commits: readonly { readonly path: string; readonly subject: string }[],
): void {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const git = (words: readonly string[], input = '') =>
    execFileSync('git', words, { cwd: repository, input });
  git(['init', '-q', '-b', 'main']);
  git(
    ['fast-import', '--quiet'],
    commits
      .map(({ path, subject }, at) => {
        const head = `commit refs/heads/main\ncommitter T <t@example.org> ${1_700_000_000 + at} +0000\n`;
        return `${head}${data(subject)}M 100644 inline ${path}\n${data(`export const line = ${at};\n`)}`;
      })
      .join('\n'),
  );
  git(['reset', '-q']);
}

/** Commits all files, a few at a time: a commit of many files says nothing about any of them. */
export function commitFiles({ repository, env }: Place, paths: readonly string[]): void {
  const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
  for (let at = 0; at < paths.length; at += 10) {
    const input = paths.slice(at, at + 10).join('\0');
    const words = ['--literal-pathspecs', 'add', '--pathspec-from-file=-', '--pathspec-file-nul'];
    execFileSync('git', words, { cwd: repository, env, input });
    execFileSync('git', [...who, 'commit', '-qm', `Add ${at}`], { cwd: repository, env });
  }
}

export interface RunningInspector {
  readonly address: string;
  /** Null while it runs. */
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export async function startInspector(
  { repository, env }: Place,
  words: readonly string[],
): Promise<RunningInspector> {
  const server = spawn(process.execPath, [PROGRAM, 'inspect', ...words], {
    ...{ cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout!.once('data', (data) => resolve(String(data).trim()));
    server.once('exit', (code) => reject(new Error(`the inspector ended with ${code}`)));
  });
  return {
    ...{ address, process: server },
    stop: () =>
      new Promise((resolve) => {
        server.once('exit', () => resolve());
        server.kill('SIGINT');
      }),
  };
}

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

/** Whether a script of the repository has run in the page. */
export const hasRun = (page: Page): Promise<boolean> =>
  page.evaluate(() => (globalThis as { ran?: unknown }).ran !== undefined);

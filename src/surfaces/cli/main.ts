/**
 * Runs one command line: finds the command, parses its flags, opens repository and settings, and turns errors
 * into exit codes. `run` does this on the streams of the process; tests pass their own to `main`.
 */

import type { Command } from 'commander';
import { LoadoutError } from '../../model/loadout-error.ts';
import { environment } from '../../platform/environment.ts';
import { hostedAddress, isHostedName, repositorySource } from '../../platform/git/locate-repository.ts';
import type { ParsedCall } from './build-program.ts';
import type { CliIo, CommandCall, GlobalFlags } from './command.ts';
import { allCommands, COMMANDS } from './command-list.ts';
import { createOutput, type Output, printableText } from './views/output.ts';

export type { CliIo } from './command.ts';

/** Time limit for a command to stop after an interrupt. */
const GRACE_MS = 2000;
/** Needed to find the name of the command before anything is parsed. */
const GLOBAL_FLAGS_WITH_VALUE = ['--repo', '--config'];

/** Runs one command line and resolves to its exit code. Never rejects. */
export async function main(argv: readonly string[], io: CliIo): Promise<number> {
  const stop = new AbortController();
  let stoppedWith: number | null = null;
  let grace: NodeJS.Timeout | undefined;
  // The first signal asks the command to stop; a second one, or the time limit, ends the process.
  const stopWith = (exitCode: number) => {
    if (stoppedWith !== null) io.forceExit(stoppedWith);
    stoppedWith ??= exitCode;
    grace ??= setTimeout(() => io.forceExit(exitCode), GRACE_MS);
    stop.abort();
  };
  const stopListening = io.onInterrupt(stopWith);
  let isDone = false;
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `loadout pack | head` closes the pipe when it has enough: nothing went wrong.
    const isPipeClosed = error.code === 'EPIPE';
    if (!isPipeClosed) io.stderr.write(`loadout: cannot write the result: ${error.message}\n`);
    if (isDone && !isPipeClosed) io.forceExit(2);
    if (!isDone && stoppedWith === null) stopWith(isPipeClosed ? 0 : 2);
  });
  try {
    const exitCode = await runCommandLine(argv, io, stop.signal);
    return stoppedWith ?? exitCode;
  } catch (error) {
    if (stoppedWith !== null) return stoppedWith;
    io.stderr.write(describeError(error));
    return 2;
  } finally {
    isDone = true;
    clearTimeout(grace);
    stopListening();
  }
}

/** Answers `--version` without loading anything else, because scripts call it often. */
async function runCommandLine(argv: readonly string[], io: CliIo, signal: AbortSignal): Promise<number> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    const { readVersion } = await import('../shared/program-identity.ts');
    io.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  // Asked at every press of the Tab key: no flags of its own, no errors, no help.
  if (argv[0] === 'complete') {
    const { answerShell } = await import('./completion/answer-shell.ts');
    await answerShell(argv.slice(1), io);
    return 0;
  }
  const { buildProgram } = await import('./build-program.ts');
  const name = commandName(argv);
  const load = COMMANDS.get(name);
  // Help and the search for the nearest name need them all.
  const commands = load ? [await load()] : await allCommands();
  let exitCode = 2;
  const program = buildProgram(commands, io, async (call) => {
    exitCode = await runCommand(call, io, signal);
  });
  // Commander would answer "loadout pakc --help" with the help of the whole program, as if all were well.
  const isUnknown = !load && name !== '' && name !== 'help';
  const words = isUnknown ? argv.filter((word) => word !== '--help' && word !== '-h') : argv;
  const usageCode = await parse(program, words);
  return usageCode ?? exitCode;
}

/** The exit code when the call ended with help or a usage error, or null when a command has run. */
async function parse(program: Command, argv: readonly string[]): Promise<number | null> {
  const { CommanderError } = await import('commander');
  try {
    await program.parseAsync(argv, { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

/** Runs a parsed command. Repository and settings are opened when the command asks for them. */
async function runCommand(parsed: ParsedCall, io: CliIo, signal: AbortSignal): Promise<number> {
  const { openRepositoryRoot, openSettings } = await import('../shared/open-settings.ts');
  const output = createOutput(io, parsed.global);
  // From here on every repository is a local folder.
  const global = await bringRepositories(parsed, io, output, signal);
  const call: CommandCall = {
    ...parsed,
    global,
    io,
    output,
    signal,
    repository: () => openRepositoryRoot(io, global),
    repositories: () =>
      global.repos.length > 1
        ? global.repos.map((repo) => openRepositoryRoot(io, { ...global, repo }))
        : [openRepositoryRoot(io, global)],
    settings: async () => {
      const root = openRepositoryRoot(io, global);
      const loaded = await openSettings(io, global, parsed.settingFlags, root);
      output.diagnostics(loaded.diagnostics);
      return loaded;
    },
  };
  try {
    return await parsed.command.run(call);
  } finally {
    output.progress.clear();
  }
}

/** The first word that is neither a global flag nor the value of one. */
function commandName(argv: readonly string[]): string {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index]!;
    if (GLOBAL_FLAGS_WITH_VALUE.includes(word)) index += 1;
    else if (!word.startsWith('-')) return word;
  }
  return '';
}

/** The text of an error for stderr. Only bugs show a stack trace. */
function describeError(error: unknown): string {
  if (error instanceof LoadoutError) {
    const hint = error.hint ? `hint: ${shown(error.hint)}\n` : '';
    return `loadout: ${shown(error.message)}\n${hint}`;
  }
  const trace = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return `${shown(trace)}\nloadout: this is a bug in Loadout; please report it with the lines above\n`;
}

/** Indents all lines but the first, so that foreign text cannot imitate a message of Loadout. */
const shown = (text: string): string => printableText(text.trim()).replaceAll('\n', '\n    ');

/** Makes every repository of the flags a local folder: URLs, names on a host and bare repositories are cloned first. */
async function bringRepositories(
  { command, global, settingFlags }: ParsedCall,
  io: CliIo,
  output: Output,
  signal: AbortSignal,
): Promise<GlobalFlags> {
  const { repos } = global;
  if (repos.length > 1 && command.takesSeveralRepositories !== true)
    throw new LoadoutError('bad-flag', `"loadout ${command.name}" works on one repository`, {
      subject: '--repo',
      hint: `run it once for each of ${repos.join(', ')}`,
    });
  const isHosted = repos.map((repo) => isHostedName(repo, io.cwd));
  const named = repos.map((repo) => repositorySource(repo, io.cwd));
  if (named.every((source, at) => source === null && !isHosted[at])) return global;
  const { openSettings } = await import('../shared/open-settings.ts');
  const { openRemoteRepository } = await import('../../platform/git/remote-repository.ts');
  const { settings } = await openSettings(io, global, settingFlags, null);
  const sources = named.map((source, at) =>
    isHosted[at] ? repositorySource(hostedAddress(repos[at]!, settings.repositoryUrl), io.cwd) : source,
  );
  const folders: string[] = [];
  // One after the other, so that progress and errors belong to one repository.
  for (const [at, source] of sources.entries()) {
    if (source === null) {
      folders.push(repos[at]!);
      continue;
    }
    output.progress.update({ label: 'cloning the repository', done: 0, total: 0 });
    const folder = `${settings.cacheDir}/copies`;
    const { path, diagnostics } = await openRemoteRepository(source, { folder, env: io.env, signal });
    output.diagnostics(diagnostics);
    folders.push(path);
  }
  output.progress.clear();
  return { ...global, repo: folders[0] ?? '', repos: folders };
}

/** The whole program on this process's own streams; resolves to its exit code. */
export const run = (): Promise<number> => main(process.argv.slice(2), processIo());

/** 128 and the number of the signal, as shells report it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The streams and environment of this process. */
export function processIo(): CliIo {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: environment(),
    cwd: process.cwd(),
    isTerminal: { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
    columns: process.stderr.columns ?? 80,
    onInterrupt: (listener) => {
      const handlers = Object.entries(EXIT_CODES).map(
        ([signal, code]) => [signal, () => listener(code)] as const,
      );
      for (const [signal, handler] of handlers) process.on(signal, handler);
      return () => {
        for (const [signal, handler] of handlers) process.off(signal, handler);
      };
    },
    forceExit: (exitCode) => process.exit(exitCode),
  };
}

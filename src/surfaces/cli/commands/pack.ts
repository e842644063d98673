/**
 * `loadout pack`: builds the context package for a task and writes it to stdout, a file or the clipboard. The
 * flags that choose files and budgets are read in `pack-flags.ts`.
 */

import type { Settings } from '../../../config/index.ts';
import { type BuiltPackage, PACK_STRATEGIES, type PackageRequest } from '../../../context/pack/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { monotonicMs } from '../../../platform/clock.ts';
import { findProgram } from '../../../platform/process/find-program.ts';
import { runProcess } from '../../../platform/process/process-runner.ts';
import { shownName } from '../../../redact/index.ts';
import { rememberPackage } from '../../hook/index.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { outputPath, partPath } from '../named-files.ts';
import {
  FORMATS,
  readChangeFlags,
  readFileForms,
  readFormat,
  readPackFlags,
  readSplit,
  type ShownFormat,
  targetsByRepository,
} from '../pack-flags.ts';
import { DOMAIN_FLAG, readTask, TASK_ARGUMENT, TASK_FILE_FLAG } from '../read-task.ts';
import { createColors, wantsColor } from '../views/output.ts';
import {
  largestLine,
  packReport,
  packReportLine,
  sayNothingRelevant,
  withoutNoFiles,
} from '../views/package-view.ts';

/** Flags that say what a package is about, in place of a task. */
const ASKS = ['taskFile', 'diff', 'staged', 'since'];

/** The command `pack`. Its other modes, `--all` and `--verify`, have files of their own. */
export const pack: CliCommand = {
  name: 'pack',
  summary: 'Build the context package for a task and print it.',
  arguments: [TASK_ARGUMENT],
  groups: [
    {
      title: 'What to pack',
      flags: [
        '--task-file',
        '--target',
        '--files-from',
        '--all',
        '--diff',
        '--staged',
        '--since',
        '--role',
        '--domain',
        '--include',
        '--exclude',
        '--instructions',
      ],
    },
    { title: 'How much', flags: ['--budget', '--fill', '--model', '--min-relevance', '--strategy'] },
    {
      title: 'Form',
      flags: ['--format', '--form', '--pack-order', '--line-numbers', '--remove-comments', '--no-redact'],
    },
    {
      title: 'Output',
      flags: ['--output', '--split', '--copy', '--explain', '--tree', '--verify'],
    },
  ],
  settings: [
    'include',
    'exclude',
    'minRelevance',
    'fillBudget',
    'packOrder',
    'astWeight',
    'semanticWeight',
    'summaryMaxTokens',
    'maxFileBytes',
    'historyLimit',
    'cacheDir',
    'store',
    'storeRepository',
    'storeBranch',
    'storeTimeout',
  ],
  flags: [
    TASK_FILE_FLAG,
    { syntax: '--all', help: 'Pack all files that fit, without a task.' },
    {
      syntax: '--form <PATH=FORM...>',
      values: ['full', 'signatures'],
      help: 'Show a file as full, excerpt, signatures or mention. With --all one word for all files: full or signatures. (default: full)',
    },
    {
      syntax: '--diff [BASE]',
      help: 'Pack the changes since BASE, with the tests and the users of the changed files. (default: HEAD)',
    },
    { syntax: '--staged', help: 'Like --diff, for the staged changes.' },
    { syntax: '--since <DATE>', help: 'Like --diff, for the changes since a date.' },
    {
      syntax: '--role <ROLE>',
      help: 'Pack for an agent in this role, with its files, restrictions and budget.',
      values: 'roles',
    },
    DOMAIN_FLAG,
    { syntax: '--target <FILE...>', help: 'Files that come first, and whole if they fit.' },
    {
      syntax: '--files-from <FILE>',
      help: 'Pack only the files and folders that a list names, one on each line or separated by NUL; - means standard input. No task is needed.',
    },
    {
      syntax: '-b, --budget <TOKENS>',
      help: "Token budget: 30000, 30k, or a share of the model's window (50%, needs --model). (default: setting tokenBudget)",
    },
    { syntax: '--model <NAME>', help: 'Count tokens for this model. (default: o200k_base)' },
    {
      syntax: `--format <${FORMATS.join('|')}>`,
      help: 'Output format; the budget holds for it. (default: markdown; --json prints it as data)',
    },
    { syntax: '-o, --output <FILE>', help: 'Write to a file instead of standard output.' },
    {
      syntax: '--split <TOKENS>',
      help: 'With --output: split into numbered files of at most this many tokens, never inside a definition.',
    },
    { syntax: '--copy', help: 'Copy to the clipboard instead of printing.' },
    {
      syntax: '--explain',
      help: 'Instead of the package, print how the task was read, why each file is in or out, and its tokens.',
    },
    { syntax: '--tree', help: 'Instead of the package, print the files by folder with their tokens.' },
    { syntax: `--strategy <${PACK_STRATEGIES.join('|')}>`, help: 'How files are chosen. (default: value)' },
    { syntax: '--line-numbers', help: 'Number the lines of the files.' },
    {
      syntax: '--instructions <FILE>',
      help: 'Put the text of FILE at the end of the package, such as what to do with it; it counts in the budget.',
    },
    {
      syntax: '--remove-comments',
      help: 'Leave out comments. Lines keep their numbers; languages without a parser keep their comments.',
    },
    { syntax: '--no-redact', help: 'Leave secrets in the text as they are.' },
    { syntax: '--verify <FILE>', help: 'Compare a stored JSON package with the repository.' },
  ],
  examples: [
    { line: 'loadout pack "Fix the token refresh race" --budget 30k', does: 'print the package for a task' },
    { line: 'loadout pack --task-file issue.md --target src/auth.ts', does: 'put one file first' },
    {
      line: 'loadout pack "Add retries" --form src/api.ts=signatures',
      does: 'choose the form of a file',
    },
    { line: "loadout pack --all --include 'src/**' --budget 500k", does: 'pack a whole folder' },
    {
      line: "git ls-files -z 'src/*.ts' | loadout pack --files-from -",
      does: 'pack the files that another program chooses',
    },
    {
      line: 'loadout pack --all --remove-comments --instructions ask.md',
      does: 'pack code without comments, and say what to do with it',
    },
    { line: 'loadout pack --diff main', does: 'pack the changes of this branch, for a review' },
    {
      line: 'loadout pack "Add retries" --repo client --repo server',
      does: 'build one package from several repositories',
    },
    { line: 'loadout pack --all --repo octocat/Hello-World', does: 'pack a repository of GitHub' },
    { line: 'loadout pack --all --repo https://example.org/lib.git', does: 'pack a repository from a URL' },
    { line: 'loadout pack "Add retries" --explain', does: 'show which files are in or out, and why' },
    { line: 'loadout pack "Add retries" --json --output pack.json', does: 'write JSON for other programs' },
    { line: 'loadout pack --verify pack.json', does: 'check whether a stored package is still current' },
  ],
  takesSeveralRepositories: true,
  run: async (call) => {
    if (typeof call.flags.verify === 'string') {
      const { verifyStored } = await import('../pack-verify.ts');
      return verifyStored(call, call.flags.verify);
    }
    // A list of files needs no task: then all of them are packed.
    const isListed = call.flags.filesFrom !== undefined && call.arguments.length === 0;
    if (call.flags.all === true || (isListed && !ASKS.some((flag) => call.flags[flag] !== undefined))) {
      const { runPackAll } = await import('../pack-all.ts');
      return runPackAll(call);
    }
    const started = monotonicMs();
    const format = readFormat(call);
    const change = readChangeFlags(call);
    // A review of a change needs no task.
    const hasTask = call.arguments.length > 0 || call.flags.taskFile !== undefined;
    const task = change && !hasTask ? '' : await readTask(call);
    const { settings } = await call.settings();
    const choices = await readPackFlags(call, settings);
    const forms = readFileForms(call);
    const split = readSplit(call, format);
    // Everything that can be wrong has been read by now: from here on it takes time.
    const built = await build(call, {
      ...choices,
      forms,
      ...(change ? { change } : {}),
      ...(split === undefined ? {} : { split }),
      task,
      format: format === 'summary' ? 'markdown' : format,
      signal: call.signal,
      onProgress: call.output.progress.update,
    });
    call.output.progress.clear();
    call.output.diagnostics(withoutNoFiles(built.pack.diagnostics));
    if (built.pack.items.length === 0 && settings.enabled) return sayNothingFits(call, built, settings);
    await deliver(call, built, format, settings.summaryMaxTokens);
    // Kept by id, so that "loadout gap" knows the task of this package.
    rememberPackage(settings.cacheDir, built.pack.id, task);
    report(call, built, monotonicMs() - started);
    return 0;
  },
};

/** One package from one repository, or a joint one from several. */
async function build(call: CommandCall, request: Omit<PackageRequest, 'repo'>): Promise<BuiltPackage> {
  if (call.global.repos.length > 1) {
    // A joint package has one header for all repositories, which cannot be split.
    if (request.split !== undefined) throw oneRepository('--split');
    const { buildJointPackage } = await import('../../../context/pack/joint-package.ts');
    return buildJointPackage({ ...request, repos: targetsByRepository(call) });
  }
  const { buildPackage } = await import('../../../context/pack.ts');
  return buildPackage({ ...request, repo: call.repository().path });
}

/** An error about a flag that needs a single repository. */
function oneRepository(flag: string): LoadoutError {
  return new LoadoutError('bad-flag', `${flag} does not go with several repositories`, { subject: flag });
}

/** Writes the package to its place. With `--explain` and the like, the report takes its place on standard output. */
async function deliver(
  call: CommandCall,
  built: BuiltPackage,
  format: ShownFormat,
  summaryTokens: number,
): Promise<void> {
  const { explain, tree, output, copy } = call.flags;
  const text = await textOf(call, built, format, summaryTokens);
  if (typeof output === 'string') {
    const { writeFileAtomic } = await import('../../../platform/fs/atomic-file.ts');
    const path = outputPath(call.repositories(), output, call.io.cwd);
    if (built.parts)
      for (const [at, part] of built.parts.entries()) writeFileAtomic(partPath(path, at + 1), part);
    else writeFileAtomic(path, text);
  }
  if (copy === true) await copyText(call, text);
  if (explain === true) {
    const { renderReceipts } = await import('../../../context/render/render-tables.ts');
    const { formatAnalysis } = await import('../views/package-view.ts');
    if (built.analysis)
      for (const line of formatAnalysis(built.analysis, call.output.colors)) call.output.line(line);
    call.output.line(renderReceipts(built.pack).trimEnd());
  }
  if (tree === true) {
    const { renderTree } = await import('../../../context/render/render-tables.ts');
    call.output.line(renderTree(built.pack.items).trimEnd());
  }
  if (output === undefined && copy !== true && explain !== true && tree !== true) call.io.stdout.write(text);
}

/** The text in the format that was asked for. The budget was counted for `format`, not for `--json`. */
async function textOf(
  { global, flags }: CommandCall,
  { pack: built, text }: BuiltPackage,
  format: ShownFormat,
  limit: number,
): Promise<string> {
  if (global.json && format !== 'json') {
    const { renderPack } = await import('../../../context/render/render-pack.ts');
    return renderPack(built, { format: 'json', lineNumbers: false });
  }
  if (format !== 'summary') return text;
  const { renderSummary } = await import('../../../context/render/render-summary.ts');
  const { loadTokenCounter } = await import('../../../context/fit/count-tokens.ts');
  const names = flags.redact === false ? {} : { shownName };
  return renderSummary(built, { limit, measure: await loadTokenCounter(), ...names });
}

/** A few lines on a terminal, two lines elsewhere. */
function report({ io, global, flags }: CommandCall, built: BuiltPackage, milliseconds: number): void {
  if (global.quiet || (global.json && flags.output === undefined)) return;
  if (io.isTerminal.stderr) {
    const colors = createColors(wantsColor(io.env, io.isTerminal.stderr, global.color));
    io.stderr.write(`${packReport(built.pack, milliseconds, colors).join('\n')}\n`);
  } else io.stderr.write(`${packReportLine(built.pack)}\n${largestLine(built.pack.items)}\n`);
}

/** The answer is no: nothing is relevant, or nothing fits. Nothing is written anywhere. */
function sayNothingFits({ io }: CommandCall, { pack }: BuiltPackage, settings: Settings): number {
  const { task, omitted, tokenBudget, diff, diagnostics } = pack;
  const hasNoRoom = omitted.length > 0 || diff !== '';
  if (!hasNoRoom && task !== '') return sayNothingRelevant(io, settings, diagnostics);
  io.stderr.write(
    hasNoRoom
      ? `loadout: a budget of ${tokenBudget} tokens has no room for a single file\nhint: give at least 500 tokens\n`
      : 'loadout: nothing was changed\nhint: name another base, such as: --diff main\n',
  );
  return 1;
}

/**
 * Programs that take the text and end. Those of X11 and Wayland stay behind to hand it out, which a process group
 * that ends with its leader does not allow: there the terminal is asked instead.
 */
const PROGRAMS = ['pbcopy', 'clip.exe', 'clip'] as const;
/** Terminals cut or drop a longer request. */
const MAX_TERMINAL_BYTES = 74_994;
/** Time limit for a clipboard program. */
const PATIENCE_MS = 10_000;

/** Puts a text on the clipboard: by a program of the system, or by asking the terminal (OSC 52). */
async function copyText(call: CommandCall, text: string): Promise<void> {
  const { io, signal } = call;
  const root = call.repository().path;
  const program = PROGRAMS.map((name) => findProgram(name, io.env, root)).find((found) => found !== null);
  if (program) {
    const result = await runProcess(program, [], { input: text, timeoutMs: PATIENCE_MS, signal });
    if (result.outcome === 'exited' && result.exitCode === 0) return;
    throw cannotCopy(`${program} failed`);
  }
  if (!io.isTerminal.stderr) throw cannotCopy('there is no clipboard program and no terminal to ask');
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_TERMINAL_BYTES)
    throw cannotCopy(`${bytes.length} bytes are more than a terminal takes (${MAX_TERMINAL_BYTES})`);
  io.stderr.write(`\u001b]52;c;${bytes.toString('base64')}\u0007`);
}

/** An error about `--copy` with another way to the same end. */
function cannotCopy(why: string): LoadoutError {
  return new LoadoutError('cannot-copy', `--copy: ${why}`, {
    subject: '--copy',
    hint: 'pipe the package into a program of your own, such as: loadout pack "..." | wl-copy',
  });
}

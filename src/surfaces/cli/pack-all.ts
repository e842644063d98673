/**
 * `loadout pack --all`: writes a repository, or several, as far as they fit into the budget. The text is streamed, so that it is never held in memory as a whole.
 */

import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { type AllRequest, type AllSummary, packAll } from '../../context/all.ts';
import { renderOptions } from '../../context/compose/index.ts';
import { loadModelCounter } from '../../context/fit/index.ts';
import { type AllWriter, documentWriter, partsWriter, repositoryLabels } from '../../context/pack/index.ts';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { writeHint } from '../../platform/fs/atomic-file.ts';
import type { CommandCall } from './command.ts';
import { outputPath, partPath } from './named-files.ts';
import { readForm, readFormat, readPackFlags, readSplit } from './pack-flags.ts';
import { countOf } from './views/output.ts';
import { contentsLine, largestLine, noFilesMessage, withoutNoFiles } from './views/package-view.ts';

/** Flags that speak of a task, or of a package that is held as a whole. */
const OTHER_FLAGS = ['target', 'taskFile', 'diff', 'staged', 'since', 'copy', 'explain', 'strategy'];

/** `loadout pack --all`: the repository, or several, as far as they fit. */
export async function runPackAll(call: CommandCall): Promise<number> {
  const format = readFormat(call);
  refuseOthers(call, format);
  const { settings } = await call.settings();
  const choices = await readPackFlags(call, settings);
  const request = {
    ...choices,
    format: format === 'summary' ? 'markdown' : format,
    form: readForm(call),
    signal: call.signal,
    onProgress: call.output.progress.update,
  };
  if (call.global.json || format === 'json') return writeData(call, request);
  const { tree } = call.flags;
  const split = readSplit(call, format);
  const summary = await (split === undefined
    ? writeDocument(call, request)
    : writeParts(call, request, split));
  call.output.progress.clear();
  call.output.diagnostics(withoutNoFiles(summary.diagnostics));
  if (tree === true) {
    const { renderTree } = await import('../../context/render/render-tables.ts');
    call.output.line(renderTree(summary.items).trimEnd());
  }
  report(call, summary);
  return summary.items.length > 0 ? 0 : 1;
}

/** The parts of a request that are the same for every repository. */
type Choices = Omit<AllRequest, 'repo' | 'writer'>;

/** One document on stdout or in a file. `--tree` needs only the list of files, so the text is dropped. */
async function writeDocument(call: CommandCall, request: Choices): Promise<AllSummary> {
  const { output, tree } = call.flags;
  const path = typeof output === 'string' ? outputPath(call.repositories(), output, call.io.cwd) : null;
  const sink = tree === true ? NOWHERE : path === null ? streamSink(call.io.stdout) : fileSink(path);
  return writeTo(sink, (write) =>
    packEach(call, request, (at, last) => {
      return documentWriter(write, { opens: at === 0, closes: at === last });
    }),
  );
}

/** Packs one repository after the other. Tokens that one does not use go to the next. */
async function packEach(
  call: CommandCall,
  { settings, ...request }: Choices,
  writerFor: (at: number, last: number) => AllWriter,
): Promise<AllSummary> {
  const repos = call.repositories().map(({ path }) => path);
  const labels = repos.length > 1 ? repositoryLabels(repos) : [''];
  // Each repository gets an equal share of what is left.
  let left = settings.tokenBudget;
  const summaries: AllSummary[] = [];
  for (const [at, repo] of repos.entries()) {
    const tokenBudget = Math.max(1, Math.floor(left / (repos.length - at)));
    const writer = writerFor(at, repos.length - 1);
    const own = { ...request, repo, label: labels[at]!, settings: { ...settings, tokenBudget }, writer };
    const summary = await packAll(own);
    left -= summary.tokenCount;
    summaries.push(summary);
  }
  return {
    tokenCount: summaries.reduce((sum, one) => sum + one.tokenCount, 0),
    tokenBudget: settings.tokenBudget,
    items: summaries.flatMap(({ items }) => items),
    omitted: summaries.flatMap(({ omitted }) => omitted),
    diagnostics: summaries.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Numbered files: all of them are written, or none. */
async function writeParts(call: CommandCall, request: Choices, limit: number): Promise<AllSummary> {
  const path = outputPath(call.repositories(), String(call.flags.output), call.io.cwd);
  const count = await loadModelCounter(request.model);
  const sinks: TextSink[] = [];
  const write = (part: number, text: string) => {
    sinks[part - 1] ??= fileSink(partPath(path, part));
    return sinks[part - 1]!.write(text);
  };
  const writer = partsWriter({ limit, count, render: renderOptions(request), write });
  try {
    const summary = await packEach(call, request, () => writer);
    const { diagnostics } = await writer.finish();
    for (const sink of sinks) if (summary.items.length > 0) sink.finish();
    return { ...summary, diagnostics: [...summary.diagnostics, ...diagnostics] };
  } finally {
    for (const sink of sinks) sink.abandon();
  }
}

/** The package as JSON. It is held as a whole, which is why it takes one repository. */
async function writeData(call: CommandCall, request: Choices): Promise<number> {
  if (call.global.repos.length > 1)
    throw new LoadoutError('bad-flag', '--all as JSON takes one repository', { subject: '--repo' });
  const { packAllAsData } = await import('../../context/all.ts');
  const { pack, text } = await packAllAsData({ ...request, repo: call.repository().path });
  call.output.progress.clear();
  call.output.diagnostics(withoutNoFiles(pack.diagnostics));
  const { output } = call.flags;
  if (pack.items.length > 0) {
    const path = typeof output === 'string' ? outputPath(call.repositories(), output, call.io.cwd) : null;
    await writeTo(path === null ? streamSink(call.io.stdout) : fileSink(path), async (write) => {
      await write(text);
      return { ...pack, omitted: [] };
    });
  }
  report(call, { ...pack, omitted: pack.omitted.map(({ path }) => path) });
  return pack.items.length > 0 ? 0 : 1;
}

/** A sink for text that is not wanted. */
const NOWHERE: TextSink = { write: () => {}, finish: () => {}, abandon: () => {} };

/** An empty file would be as bad as half a file. */
async function writeTo(
  sink: TextSink,
  pack: (write: TextSink['write']) => Promise<AllSummary>,
): Promise<AllSummary> {
  try {
    const summary = await pack(sink.write);
    if (summary.items.length > 0) sink.finish();
    else sink.abandon();
    return summary;
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

/** Refuses flags that do not go with `--all`. */
function refuseOthers({ flags, arguments: args }: CommandCall, format: string): void {
  const refuse = (message: string): never => {
    throw new LoadoutError('bad-flag', message, { subject: '--all' });
  };
  if (args.length > 0) refuse('--all packs without a task: leave one of them out');
  const other = OTHER_FLAGS.find((name) => flags[name] !== undefined);
  if (other !== undefined)
    refuse(`--all does not go with --${other.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`);
  if (format === 'summary') refuse('--all writes markdown, xml or json');
}

/** Two lines on stderr: files, tokens, how many files were left out; and the largest files. */
function report({ io, global }: CommandCall, summary: AllSummary): void {
  const { items, omitted, tokenBudget, diagnostics } = summary;
  if (items.length === 0) {
    const noFiles = noFilesMessage(diagnostics);
    io.stderr.write(
      noFiles ??
        `loadout: a budget of ${tokenBudget} tokens has no room for a single file\nhint: give at least 500 tokens\n`,
    );
    return;
  }
  if (global.quiet) return;
  const left = omitted.length > 0 ? `; ${countOf(omitted.length, 'file')} left out for lack of room` : '';
  io.stderr.write(`${contentsLine(summary)}${left}\n${largestLine(items)}\n`);
}

/** Takes a text piece by piece, as text or as UTF-8. */
export interface TextSink {
  /** Returns a promise when the reader is slow; wait for it before the next piece. */
  write(text: string | Buffer): void | Promise<void>;
  /** Call it when all text is written. */
  finish(): void;
  /** Removes the written text. */
  abandon(): void;
}

/** Writes to a stream, and waits when its reader is slow. */
function streamSink(stream: Writable): TextSink {
  return {
    write: (text) => {
      if (stream.write(text)) return;
      return new Promise((resolve) => {
        const done = () => {
          for (const event of ['drain', 'close', 'error']) stream.off(event, done);
          resolve();
        };
        for (const event of ['drain', 'close', 'error']) stream.once(event, done);
      });
    },
    finish: () => {},
    abandon: () => {},
  };
}

/** Writes to a draft that becomes the file when everything is written. */
export function fileSink(path: string): TextSink {
  const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  const attempt = <Answer>(action: () => Answer): Answer => {
    try {
      return action();
    } catch (cause) {
      const code = errorCode(cause) || String(cause);
      throw new LoadoutError('cannot-write', `cannot write ${path} (${code})`, {
        subject: path,
        ...writeHint(code),
        cause,
      });
    }
  };
  // The draft is opened now, so that a folder without write permission fails before any work.
  const descriptor = attempt(() => openSync(draft, 'wx'));
  // A forced exit does not wait for `abandon`, so the draft is removed here too.
  const onExit = () => rmSync(draft, { force: true });
  process.once('exit', onExit);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
    process.off('exit', onExit);
  };
  const writeAll = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  };
  return {
    write: (text) => attempt(() => writeAll(typeof text === 'string' ? Buffer.from(text) : text)),
    finish: () =>
      attempt(() => {
        close();
        renameSync(draft, path);
      }),
    abandon: () => {
      close();
      rmSync(draft, { force: true });
    },
  };
}

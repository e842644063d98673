import { resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type AllSummary, packAll } from '../../pack/all/pack-all.ts';
import type { CommandCall } from './command.ts';
import { readForm, readFormat, readPackFlags } from './pack-flags.ts';
import { printable } from './printable.ts';
import { fileSink, streamSink, type TextSink } from './text-sink.ts';

/** Flags that speak of a task, or of a package that is held as a whole. */
const OTHER_FLAGS = ['target', 'taskFile', 'diff', 'staged', 'since', 'copy', 'explain', 'strategy'];

/** `loadout pack --all`: the repository, as far as it fits. */
export async function runPackAll(call: CommandCall): Promise<number> {
  const format = readFormat(call);
  refuseOthers(call, format);
  const { settings } = await call.settings();
  const { allow, ...choices } = await readPackFlags(call, settings);
  const { output, tree } = call.flags;
  const sink =
    typeof output === 'string' ? fileSink(resolve(call.io.cwd, output)) : streamSink(call.io.stdout);
  const summary = await writeTo(tree === true ? NOWHERE : sink, (write) =>
    packAll({
      ...choices,
      ...(allow ? { allow } : {}),
      repo: call.repository().path,
      format: format === 'xml' ? 'xml' : 'markdown',
      form: readForm(call),
      write,
      signal: call.signal,
      onProgress: call.output.progress.update,
    }),
  );
  call.output.progress.clear();
  call.output.diagnostics(summary.diagnostics);
  if (tree === true) {
    sink.abandon();
    const { renderTree } = await import('../../render/render-tree.ts');
    call.output.line(printable(renderTree(summary.items).trimEnd()));
  }
  report(call, summary);
  return summary.items.length > 0 ? 0 : 1;
}

const NOWHERE: TextSink = { write: () => {}, finish: () => {}, abandon: () => {} };

/** A file without anything in it is as bad as half a file. */
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

function refuseOthers({ flags, arguments: args, global }: CommandCall, format: string): void {
  const refuse = (message: string): never => {
    throw new LoadoutError('bad-flag', message, { subject: '--all' });
  };
  if (args.length > 0) refuse('--all packs without a task: leave one of them out');
  const other = OTHER_FLAGS.find((name) => flags[name] !== undefined);
  if (other !== undefined)
    refuse(`--all does not go with --${other.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`);
  if (global.json || format === 'json' || format === 'summary') refuse('--all writes markdown or xml');
}

function report({ io, global }: CommandCall, { items, omitted, tokenCount, tokenBudget }: AllSummary): void {
  if (items.length === 0) {
    io.stderr.write(
      `loadout: a budget of ${tokenBudget} tokens has no room for a single file, or there is none\nhint: see "loadout scan" for what was found\n`,
    );
    return;
  }
  if (global.quiet) return;
  const left = omitted.length > 0 ? `; ${omitted.length} files left out for want of room` : '';
  io.stderr.write(`${items.length} files, ${tokenCount} of ${tokenBudget} tokens${left}\n`);
}

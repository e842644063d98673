import type { StackFrame } from '../../model/task-analysis.ts';
import { anyOf } from './any-of.ts';
import type { ClassifiedLine } from './classified-line.ts';
import type { ReadFrame } from './read-frame.ts';

/** Lines of code, carets and addresses stand between the frames of one trace; a screen of text ends it. */
const WIDEST_GAP = 14;

/** What a chain of traces says between an error and the error that caused it. */
const CAUSE_FOLLOWS = /^(?:Caused by:|\[cause\]:|Suppressed:)/;
const EFFECT_FOLLOWS = anyOf(
  /^(?:During handling of the above|The above exception was the direct)/,
  /^(?:--- End of inner|stack (?:backtrace|traceback):|Stack trace:)/,
);
const POINTED_LINE = /^-{2,}> ?(\d{1,7})\b/;

interface Trace {
  frames: ReadFrame[];
  /** Traces that were thrown because of the one before go behind it, causes before it. */
  link: 'none' | 'cause' | 'effect';
}

/** The frames of all traces, each counted from where its error was thrown. */
export function stackFrames(lines: readonly ClassifiedLine[]): StackFrame[] {
  const traces: Trace[] = [];
  let link: Trace['link'] = 'none';
  let broken = true;
  let gap = 0;
  for (const { frame, text, isTraceHeader, isError } of lines) {
    if (!frame) {
      gap++;
      const trimmed = isTraceHeader ? text.trim() : '';
      if (isError || (isTraceHeader && !trimmed.startsWith('...'))) broken = true;
      if (CAUSE_FOLLOWS.test(trimmed)) link = 'cause';
      else if (EFFECT_FOLLOWS.test(trimmed)) link = 'effect';
      else if (gap <= WIDEST_GAP) pointLine(traces.at(-1), text);
      continue;
    }
    const last = traces.at(-1);
    const turned = last !== undefined && last.frames[0]!.innermostLast !== frame.innermostLast;
    if (!last || broken || turned || gap > WIDEST_GAP) {
      traces.push({ frames: [frame], link: gap > WIDEST_GAP ? 'none' : link });
    } else last.frames.push(frame);
    [link, broken, gap] = ['none', false, 0];
  }
  return chains(traces).flatMap((chain) => {
    const frames = chain.flatMap(({ frames: own }) => (own[0]!.innermostLast ? own.toReversed() : own));
    return frames.map(({ path, line, symbol }, depth) => ({ path, line, symbol, depth }));
  });
}

/** Some traces print the line number below the frame, as `---> 42 code`. */
function pointLine(trace: Trace | undefined, text: string): void {
  const frame = trace?.frames.at(-1);
  if (!trace || !frame || frame.line !== null) return;
  const pointed = POINTED_LINE.exec(text.trim());
  if (pointed) trace.frames[trace.frames.length - 1] = { ...frame, line: Number(pointed[1]) };
}

/** Traces of one chain together, the first cause first. */
function chains(traces: readonly Trace[]): Trace[][] {
  const found: Trace[][] = [];
  for (const trace of traces) {
    const chain = trace.link === 'none' ? undefined : found.at(-1);
    if (!chain) found.push([trace]);
    else if (trace.link === 'cause') chain.unshift(trace);
    else chain.push(trace);
  }
  return found;
}

import { safeLine } from '../redact/outgoing-text.ts';

const REPORT_EVERY_MS = 200;
const LONGEST_LINE = 300;

/** Tells the last line of a stream now and then: a flood is not worth an event for every line. */
export function lastLineReporter(now: () => number, report: (line: string) => void) {
  let last = Number.NEGATIVE_INFINITY;
  return (_stream: 'stdout' | 'stderr', chunk: Buffer): void => {
    const time = now();
    if (time - last < REPORT_EVERY_MS) return;
    const end = chunk.subarray(-4 * LONGEST_LINE).toString('utf8');
    const line = end.split('\n').findLast((one) => one.trim() !== '');
    if (line === undefined) return;
    last = time;
    report(safeLine(line.trim()).slice(0, LONGEST_LINE));
  };
}

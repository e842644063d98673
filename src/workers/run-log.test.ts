import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chainHash, EVENTS_FILE, openEventLog, parseEvents } from './run-log.ts';
import type { RunEvent } from './run-record.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-log-'));
  file = join(folder, EVENTS_FILE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openEventLog(folder, 'r', () => 0);
const start = (attempt: number): RunEvent => ({
  ...{ type: 'attempt-start', attempt, mode: 'fresh', promptId: 'p', packageId: null, promptBytes: 1 },
});
const end = (attempt: number): RunEvent => ({
  ...{ type: 'attempt-end', attempt, outcome: 'failed', reason: 'gate-failed', message: 'm' },
});
const over: RunEvent = {
  ...{ type: 'run-end', outcome: 'passed', reason: null, message: '', branch: null, applied: false },
};

describe('the event log', () => {
  it('has one end for each attempt and one for the run, whatever is written and whichever process dies', () => {
    const step = fc.oneof(
      fc.nat(3).map(start),
      fc.nat(3).map(end),
      fc.constant(over),
      fc.constant<RunEvent>({ type: 'agent-output', line: 'not kept' }),
      fc.constant('reopen' as const),
      fc.nat(40).map((bytes) => ({ torn: bytes })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        rmSync(file, { force: true });
        let log = open();
        for (const one of steps) {
          if (one !== 'reopen' && !('torn' in one)) {
            log.append(one);
            continue;
          }
          log.close();
          if (one !== 'reopen')
            appendFileSync(file, '{"type":"attempt-end","attempt":1,"run":"r","seq":99'.slice(0, one.torn));
          log = open();
        }
        log.close();
        const { events, damagedLines } = parseEvents(readFileSync(file));
        expect(damagedLines).toBe(0);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
        let running: number | null = null;
        for (const event of events) {
          if (event.type === 'attempt-start') running = event.attempt;
          if (event.type !== 'attempt-end') continue;
          expect(event.attempt).toBe(running);
          running = null;
        }
        const last = events.findIndex(({ type }) => type === 'run-end');
        expect(last === -1 || last === events.length - 1).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('chains its lines, so that a change shows', () => {
    const log = open();
    for (const event of [start(1), end(1), over]) log.append(event);
    log.close();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).before)).toEqual([
      '',
      chainHash(lines[0]!),
      chainHash(lines[1]!),
    ]);
  });

  it('is read up to the last whole line at any cut', () => {
    const log = open();
    for (const event of [start(1), end(1), start(2), end(2), over]) log.append(event);
    log.close();
    const whole = readFileSync(file);
    for (let size = 0; size <= whole.length; size += 7) {
      const { events } = parseEvents(whole.subarray(0, size));
      expect(events.length).toBe(whole.subarray(0, size).toString().split('\n').length - 1);
    }
    truncateSync(file, whole.length - 5);
    const again = open();
    expect(again.isEnded).toBe(false);
    expect(again.append(over)?.seq).toBe(5);
    again.close();
  });
});

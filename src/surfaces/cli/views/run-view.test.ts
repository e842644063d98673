import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../workers/run-record.ts';
import { recordedIo } from '../call-cli.test-kit.ts';
import type { GlobalFlags } from '../command.ts';
import { createLiveLines, createRunView } from './run-view.ts';

const NO_FLAGS: GlobalFlags = { repo: '', repos: [], json: false, quiet: false, color: false, config: '' };

/** The screen of a terminal after everything was written to it. */
function shownBy(text: string): string[] {
  const rows = [''];
  let row = 0;
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal understands
  for (const [part] of text.matchAll(/\u001b\[\??\d*[A-Za-z]|[\s\S]/g)) {
    if (part === '\n') [row, column] = [row + 1, 0];
    else if (part === '\r') column = 0;
    else if (/\[\d+A$/.test(part)) row -= Number(/\d+/.exec(part)![0]);
    else if (part.endsWith('[J')) rows.splice(row, rows.length, rows[row]!.slice(0, column));
    else if (part.length === 1) {
      rows[row] = (rows[row] ?? '').slice(0, column) + part;
      column += 1;
    }
    rows[row] ??= '';
  }
  return rows;
}

function terminal(rows = 24) {
  const written = { text: '' };
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written.text += String(chunk);
      done();
    },
  });
  return { stream: Object.assign(stream, { rows }), shown: () => shownBy(written.text) };
}

describe('live lines', () => {
  it('are redrawn in place, below the lines that stay', () => {
    const { stream, shown } = terminal();
    const lines = createLiveLines(stream, 80);
    lines.draw(['a 1', 'b 1', 'c 1']);
    lines.write('first');
    lines.draw(['a 2', 'b 2']);
    lines.write('second');
    expect(shown()).toEqual(['first', 'second', 'a 2', 'b 2']);
    lines.draw(['b 3']);
    expect(shown()).toEqual(['first', 'second', 'b 3']);
    lines.clear();
    lines.clear();
    expect(shown()).toEqual(['first', 'second', '']);
  });

  it('are no more than the terminal has rows, no wider than it, and one row each', () => {
    const { stream, shown } = terminal(6);
    const lines = createLiveLines(stream, 10);
    lines.draw(Array.from({ length: 9 }, (_, at) => `run ${at}\nwith a long end\u001b[2J`));
    expect(shown()).toEqual(['run 0 wit', 'run 1 wit', 'run 2 wit', 'and 6 mor']);
  });
});

describe('the view of several runs', () => {
  const event = (run: string, more: object) =>
    ({ run: `20300101-000000-${run}`, seq: 1, at: '', ...more }) as StoredEvent;
  const start = { type: 'run-start', role: 'implementer', cli: 'claude', model: null, task: 't', commit: '' };

  it('has a line for each active run', async () => {
    const { stream, shown } = terminal();
    const { io } = recordedIo({ cwd: '/', env: { NO_COLOR: '1' }, isTerminal: true });
    const view = createRunView({ io: { ...io, stderr: stream }, global: NO_FLAGS }, 3);
    view.event(event('aaaaaaaa', start));
    view.event(event('bbbbbbbb', start));
    view.event(event('aaaaaaaa', { type: 'agent-output', line: 'reading files' }));
    view.event(event('bbbbbbbb', { type: 'gate-start', gate: 'npm test' }));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(shown().slice(-2)).toEqual([
      'aaaaaaaa  0:00  work tree  reading files',
      'bbbbbbbb  0:00  gate  npm test',
    ]);
    view.event(event('aaaaaaaa', { type: 'run-end', outcome: 'passed' }));
    expect(shown().slice(-2)).toEqual([
      'aaaaaaaa passed 20300101-000000-aaaaaaaa',
      'bbbbbbbb  0:00  gate  npm test',
    ]);
    view.close();
    expect(shown().at(-1)).toBe('');
  });

  it('prints plain lines without a terminal', () => {
    const { io, written } = recordedIo({ cwd: '/', env: {} });
    const view = createRunView({ io, global: NO_FLAGS }, 2);
    view.event(event('aaaaaaaa', start));
    view.event(event('aaaaaaaa', { type: 'agent-output', line: 'x' }));
    view.close();
    expect(written.stderr).toBe('aaaaaaaa implementer with claude: t\n');
  });
});

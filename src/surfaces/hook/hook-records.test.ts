import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookPlace } from '../../../test/support/hook-kit.ts';
import { SessionMemory } from './hook-context.ts';
import { HookFiles } from './hook-files.ts';
import { type HookRecord, readHookLog, readHookRecords, recordHook } from './hook-records.ts';

const about = { at: '2026-01-01T00:00:00.000Z', client: 'claude', event: 'x', session: 's', agent: null };
const file = { ...about, kind: 'file', how: 'edit', path: 'a.ts', lines: [1, 2], call: 'c' } as const;
const answer: HookRecord = {
  ...about,
  kind: 'answer',
  form: 'brief',
  verdict: 'full',
  confidence: 0.5,
  reason: 'r',
  ...{ characters: 1, milliseconds: 2, places: ['a.ts:1-2'], locations: [], prompt: 'p', package: 'i' },
};

/** Lines that no hook has written. */
const DAMAGED = [
  '',
  'null',
  '[]',
  '"text"',
  '{"kind":"answer"',
  '{"kind":"__proto__"}',
  '{"__proto__":{"kind":"map"}}',
  '[{"kind":"map"}]',
  'x'.repeat(10_000),
  '['.repeat(10_000),
];

describe('records of hooks', () => {
  const wrong = [
    { ...file, lines: [1] },
    { ...file, lines: [1, 2.5] },
    { ...file, lines: 'all' },
    { ...file, how: 'delete' },
    { ...file, path: null },
    { ...file, agent: 7 },
    { ...answer, places: ['a.ts', 7] },
    { ...answer, characters: '1' },
    { ...answer, verdict: 'perhaps' },
    { ...answer, session: undefined },
    { ...answer, kind: 'other' },
  ];

  it('are read as they were written, between lines that are damaged', () => {
    const { cache } = hookPlace({});
    const files = new HookFiles(cache);
    const later = { ...file, call: 'd', added: 'by a later version' };
    recordHook(files, '/r', answer);
    for (const line of [...DAMAGED, ...wrong.map((one) => JSON.stringify(one))])
      files.record('/r', line, '{}');
    for (const one of [file, file, later]) recordHook(files, '/r', one);
    expect(readHookRecords(cache, '/r')).toEqual([answer, file, later]);
    expect(readHookRecords(cache, '/another')).toEqual([]);
  });
});

describe('the memory of a session', () => {
  it('keeps its entries between lines that are damaged', () => {
    const { cache } = hookPlace({});
    const files = new HookFiles(cache);
    const task = { kind: 'task', agent: 'a', action: null, domains: [], paths: ['b.ts'] };
    const wrong = [
      { kind: 'told', id: 'x' },
      { kind: 'told', id: 'x', paths: [1] },
      { ...task, domains: 'x' },
    ];
    const good = [
      { kind: 'map' },
      { kind: 'told', id: 'i', paths: ['a.ts'] },
      task,
      { kind: 'rules', ids: ['r'] },
    ];
    for (const entry of [...wrong, ...good, { ...task, action: 7 }, { kind: 'rules', ids: {} }])
      files.append('sessions', 's', JSON.stringify(entry));
    for (const line of DAMAGED) files.append('sessions', 's', line);
    const memory = new SessionMemory(files, 's');
    expect([memory.hasMap, memory.lastTold, memory.hasRule('r')]).toEqual([true, 'i', true]);
    expect(memory.hasTold(['a.ts'])).toBe(true);
    expect([...memory.shown]).toEqual([]);
    expect(memory.waiting('a')).toEqual([{ ...task, isUntold: false }]);
  });
});

describe('the log of problems', () => {
  it('is read between lines that are damaged', () => {
    const { cache } = hookPlace({});
    const entry = { at: 'now', event: 'e', client: 'c', milliseconds: 1, problem: 'p' };
    mkdirSync(join(cache, 'hook'), { recursive: true });
    const path = join(cache, 'hook/log.jsonl');
    const lines = [...DAMAGED, { ...entry, milliseconds: '1' }, entry, { ...entry, at: 7 }];
    writeFileSync(path, lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'));
    expect(readHookLog(cache, 10)).toEqual([entry]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitParts } from './fit-rendered.ts';
import type { FitRequest, FitStrategy, Part } from './part.ts';

const whole = (id: string, cost: number, more: Partial<Part> = {}): Part => ({
  id,
  priority: 0,
  forms: [{ name: 'full', cost }],
  ...more,
});
const file = (id: string, priority: number, full: number): Part => ({
  id,
  priority,
  forms: [
    { name: 'full', cost: full },
    { name: 'signatures', cost: Math.ceil(full / 5) },
    { name: 'mention', cost: 2 },
  ],
});
const forms = (request: FitRequest) =>
  Object.fromEntries(
    fitParts(request).chosen.map(({ id, form, cost, cut }) => [id, cut ? `cut ${cost}` : form]),
  );
const reasons = (request: FitRequest) =>
  Object.fromEntries(fitParts(request).receipts.map(({ id, reason }) => [id, reason]));

describe('relevance', () => {
  const parts = [file('low.ts', 0.3, 10), file('best.ts', 0.9, 100), file('middle.ts', 0.5, 100)];

  it('takes the best whole, then those that fit in a smaller form, and says how much a part left out would have taken', () => {
    const request: FitRequest = { parts, limit: 125, strategy: { kind: 'relevance' } };
    expect(forms(request)).toEqual({ 'best.ts': 'full', 'middle.ts': 'signatures', 'low.ts': 'signatures' });
    const none = fitParts({ ...request, limit: 121 }).receipts[0];
    expect(none).toEqual({ id: 'low.ts', outcome: 'out', reason: 'no-room', wholeCost: 10, leastCost: 2 });
  });

  it('takes signatures only when only these are allowed', () => {
    const strategy: FitStrategy = { kind: 'relevance', forms: ['signatures'] };
    expect(forms({ parts, limit: 1_000, strategy })).toEqual({
      'best.ts': 'signatures',
      'middle.ts': 'signatures',
      'low.ts': 'signatures',
    });
    expect(reasons({ parts: [whole('a', 1)], limit: 9, strategy })).toEqual({ a: 'no-form' });
  });

  it('never takes a part below the minimum, unless it is protected', () => {
    const request: FitRequest = {
      parts: [...parts, { ...file('target.ts', 0, 10), protected: true }],
      limit: 1_000,
      strategy: { kind: 'relevance' },
      minimumPriority: 0.4,
    };
    expect(reasons(request)).toEqual({
      'low.ts': 'below-minimum',
      'best.ts': 'chosen',
      'middle.ts': 'chosen',
      'target.ts': 'protected',
    });
  });
});

describe('protected parts that do not fit', () => {
  it('are cut only when they exceed the budget by themselves, the least important first', () => {
    const parts = [
      whole('task', 10, { protected: true, priority: 2 }),
      whole('always', 10, { protected: true, priority: 1 }),
      whole('tree', 1),
    ];
    expect(forms({ parts, limit: 15, strategy: { kind: 'relevance' } })).toEqual({
      task: 'full',
      always: 'cut 5',
    });
  });
});

describe('latest-first', () => {
  it('takes the latest items, each within its limit, and cuts the last one to the rest', () => {
    const parts = [100, 10, 100, 100, 5].map((cost, at) => whole(`call ${at}`, cost, { priority: at }));
    const strategy: FitStrategy = { kind: 'latest-first', maxItems: 4, maxPerItem: 60 };
    const request = { parts, limit: 120, strategy };
    expect(forms(request)).toEqual({ 'call 4': 'full', 'call 3': 'cut 60', 'call 2': 'cut 55' });
    expect(forms({ ...request, limit: 1_000 })).toEqual({
      'call 4': 'full',
      'call 3': 'cut 60',
      'call 2': 'cut 60',
      'call 1': 'full',
    });
    expect(reasons({ ...request, limit: 1_000 })['call 0']).toBe('too-many-items');
  });
});

describe('value', () => {
  it('gives two files their signatures rather than one all the room, when that is worth more', () => {
    const parts = ['a', 'b'].map((id) => ({
      id,
      priority: 1,
      forms: [
        { name: 'full', cost: 100, value: 1 },
        { name: 'signatures', cost: 50, value: 0.8 },
      ],
    }));
    expect(forms({ parts, limit: 100, strategy: { kind: 'value' } })).toEqual({
      a: 'signatures',
      b: 'signatures',
    });
  });

  it('takes nothing that is worth nothing', () => {
    const parts = [{ id: 'a', priority: 0, forms: [{ name: 'full', cost: 1, value: 0 }] }];
    expect(reasons({ parts, limit: 100, strategy: { kind: 'value' } })).toEqual({ a: 'worth-nothing' });
  });
});

describe('protected parts', () => {
  it('come first and whole, but leave each other room for their smallest forms', () => {
    const parts = ['a', 'b'].map((id) => ({ ...file(id, 0, 100), protected: true }));
    const rival = file('rival', 1, 100);
    const request: FitRequest = { parts: [rival, ...parts], limit: 102, strategy: { kind: 'value' } };
    expect(forms(request)).toEqual({ a: 'full', b: 'mention' });
  });

  it('keep to the cap of their group', () => {
    const parts = ['a', 'b'].map((id) => whole(id, 60, { protected: true, group: 'always' }));
    const request: FitRequest = {
      parts,
      limit: 1_000,
      strategy: { kind: 'relevance' },
      groupLimits: { always: 100 },
    };
    expect(forms(request)).toEqual({ a: 'full', b: 'cut 40' });
  });
});

const part = (id: number) =>
  fc.record({
    id: fc.constant(`part ${id}`),
    priority: fc.integer({ min: 0, max: 5 }),
    protected: fc.boolean().map((is) => is && id % 4 === 0),
    group: fc.constantFrom('one', 'two'),
    forms: fc.array(
      fc.record({
        name: fc.constantFrom('full', 'excerpt', 'signatures', 'mention'),
        cost: fc.nat(300),
        value: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 4 },
    ),
  });
const parts = fc.nat(25).chain((count) => fc.tuple(...Array.from({ length: count }, (_, id) => part(id))));
const strategy: fc.Arbitrary<FitStrategy> = fc.constantFrom(
  { kind: 'value' },
  { kind: 'relevance' },
  { kind: 'relevance', forms: ['excerpt', 'mention'] },
  { kind: 'latest-first', maxItems: 5, maxPerItem: 100 },
);

describe('every strategy', () => {
  it('keeps to all limits, gives every part a receipt, and does not depend on the order', () => {
    fc.assert(
      fc.property(parts, strategy, fc.nat(1_500), fc.nat(5), (all, rule, limit, partOverhead) => {
        const groupLimits = { one: 400 };
        const request = { parts: all, limit, strategy: rule, partOverhead, groupLimits };
        const { chosen, used, receipts } = fitParts(request);
        expect(used).toBeLessThanOrEqual(limit);
        expect(used).toBe(chosen.reduce((sum, { cost }) => sum + cost + partOverhead, 0));
        const inOne = chosen.filter(({ index }) => all[index]!.group === 'one');
        expect(inOne.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(400);
        expect(receipts.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
        expect(receipts.filter(({ outcome }) => outcome === 'in')).toHaveLength(chosen.length);
        const byId = <T extends { id: string }>(list: readonly T[]) =>
          [...list].sort((one, other) => (one.id < other.id ? -1 : 1));
        const reversed = fitParts({ ...request, parts: [...all].reverse() });
        expect(byId(reversed.receipts)).toEqual(byId(receipts));
      }),
      { numRuns: 2_000 },
    );
  });
});

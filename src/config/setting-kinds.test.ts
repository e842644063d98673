import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineSettings, option } from './define-settings.ts';
import {
  booleanKind,
  bytesKind,
  choiceKind,
  directoryKind,
  durationKind,
  integerKind,
  listKind,
  mapKind,
  numberKind,
  ratioKind,
  splitList,
  tokensKind,
} from './setting-kinds.ts';
import { SETTING_NAMES, settingByName } from './settings.ts';

describe('quantities', () => {
  it.each([
    ['2MB', 2_000_000],
    ['512KiB', 524_288],
    ['1.5kb', 1500],
    ['100_000', 100_000],
    ['7 b', 7],
  ])('reads %s as bytes', (text, bytes) => expect(bytesKind({}).fromText(text)).toBe(bytes));

  it.each(['', '2XB', '-1', '1e3', '0.5', '1,000', 'MB', '2 M B', '9'.repeat(30), 'constructor'])(
    'does not read %j as bytes',
    (text) => expect(bytesKind({}).fromText(text)).toBeUndefined(),
  );

  it('takes a bare duration as seconds, in text and in a file', () => {
    expect(durationKind({}).fromText('300')).toBe(300_000);
    expect(durationKind({}).fromFile(0.25)).toBe(250);
    expect(durationKind({}).fromFile('250ms')).toBe(250);
    expect(durationKind({}).fromFile(-1)).toBeUndefined();
  });

  it('knows k and m for tokens', () => {
    expect(tokensKind({}).fromText('30k')).toBe(30_000);
    expect(tokensKind({}).fromText('1.2M')).toBe(1_200_000);
  });

  it('keeps to the range', () => {
    expect(integerKind({ min: 1, max: 4 }).fromText('5')).toBeUndefined();
    expect(integerKind({ min: 1, max: 4 }).fromFile(0)).toBeUndefined();
    expect(integerKind({}).fromText('1.5')).toBeUndefined();
    expect(ratioKind.fromText('1.01')).toBeUndefined();
    expect(ratioKind.fromText('1')).toBe(1);
    expect(numberKind({}).fromFile(Number.NaN)).toBeUndefined();
    expect(numberKind({}).fromFile(Number.POSITIVE_INFINITY)).toBeUndefined();
  });

  it('reads back what it shows', () => {
    const plain = integerKind({});
    const kinds = [bytesKind({}), tokensKind({}), durationKind({}), plain];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.integer({ min: 0, max: 2 ** 40 }), (kind, amount) => {
        expect(kind.fromText(kind.show(amount))).toBe(amount);
        expect(kind.fromFile(kind === plain ? amount : kind.show(amount))).toBe(amount);
        expect(kind.fromValue(amount)).toBe(amount);
      }),
    );
  });
});

describe('texts', () => {
  it('reads the usual words for yes and no, but only booleans from files', () => {
    expect([' TRUE', '1', 'yes', 'on'].map(booleanKind.fromText)).toEqual([true, true, true, true]);
    expect(['false', '0', 'No', 'off'].map(booleanKind.fromText)).toEqual([false, false, false, false]);
    expect(booleanKind.fromText('maybe')).toBeUndefined();
    expect(booleanKind.fromFile('true')).toBeUndefined();
  });

  it('splits lists at commas outside braces', () => {
    expect(splitList('src/**/*.{ts,tsx}, docs/** ,,')).toEqual(['src/**/*.{ts,tsx}', 'docs/**']);
    expect(listKind('GLOB').fromFile(['a', 1])).toBeUndefined();
    expect(listKind('GLOB').fromFile('a,b')).toEqual(['a,b']);
  });

  it('reads maps without losing odd keys', () => {
    expect(mapKind.fromText('src/a=A, src/b = B=B')).toEqual({ 'src/a': 'A', 'src/b': 'B=B' });
    expect(mapKind.fromText('src/a')).toBeUndefined();
    expect(mapKind.fromFile({ a: 1 })).toBeUndefined();
    const odd = mapKind.fromFile(JSON.parse('{"__proto__": "x"}'));
    expect(Object.keys(odd!)).toEqual(['__proto__']);
  });

  it('knows its choices and absolute paths', () => {
    expect(choiceKind(['a', 'b']).fromText('c')).toBeUndefined();
    expect(directoryKind.fromText('cache')).toBeUndefined();
    expect(directoryKind.fromText('/var/cache')).toBe('/var/cache');
    expect(directoryKind.fromText('C:\\cache')).toBe('C:\\cache');
  });
});

describe('the table of settings', () => {
  it.each(SETTING_NAMES)('%s has a default that its own kind allows', (name) => {
    const { kind, default: value, defaultText } = settingByName(name)!;
    // an empty value means none, and only the words for the default say so
    if (value === '') return expect(defaultText).toBeDefined();
    expect(kind.fromText(kind.show(value))).toEqual(value);
  });

  it('derives variables from names', () => {
    expect(settingByName('maxFileBytes')!.env).toBe('LOADOUT_MAX_FILE_BYTES');
    expect(settingByName('scanMode')!.env).toBe('REPO_SCAN_MODE');
    expect(settingByName('constructor')).toBeNull();
  });

  it('refuses two settings with one flag', () => {
    const same = option.boolean({ default: true, flag: '--x', trust: 'project', help: '' });
    expect(() => defineSettings({ a: same, b: same })).toThrow('--x is declared twice');
  });
});

import {
  BYTE_UNITS,
  DURATION_UNITS,
  readQuantity,
  showQuantity,
  TOKEN_UNITS,
  type Units,
} from './quantity.ts';
import type { JsonSchema } from './schema.ts';
import type { Range, ValueKind } from './value-kind.ts';

function within(value: number | undefined, range: Range): number | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return value >= (range.min ?? 0) && value <= (range.max ?? Number.MAX_SAFE_INTEGER) ? value : undefined;
}

function describeRange(range: Range, show: (value: number) => string): string {
  const min = range.min ?? 0;
  return range.max === undefined ? `${show(min)} or more` : `${show(min)} to ${show(range.max)}`;
}

function numericSchema(type: 'integer' | 'number', range: Range): JsonSchema {
  return { type, minimum: range.min ?? 0, ...(range.max === undefined ? {} : { maximum: range.max }) };
}

function plainNumber(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

export function integerKind(range: Range): ValueKind<number> {
  const whole = (value: number | undefined) =>
    Number.isSafeInteger(value) ? within(value, range) : undefined;
  return {
    name: 'integer',
    placeholder: 'N',
    allowed: `a whole number, ${describeRange(range, String)}`,
    repeatable: false,
    fromText: (text) => whole(plainNumber(text)),
    fromFile: (value) => (typeof value === 'number' ? whole(value) : undefined),
    show: String,
    schema: numericSchema('integer', range),
  };
}

export function numberKind(range: Range, name = 'number'): ValueKind<number> {
  return {
    name,
    placeholder: 'N',
    allowed: `a number, ${describeRange(range, String)}`,
    repeatable: false,
    fromText: (text) => within(plainNumber(text), range),
    fromFile: (value) => (typeof value === 'number' ? within(value, range) : undefined),
    show: String,
    schema: numericSchema('number', range),
  };
}

export const ratioKind: ValueKind<number> = numberKind({ min: 0, max: 1 }, 'ratio');

/** `mb` as `[mM][bB]`: patterns in a JSON Schema know no flags. */
const inAnyCase = (name: string): string =>
  name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

interface QuantityStyle {
  readonly name: string;
  readonly placeholder: string;
  readonly noun: string;
  readonly examples: string;
  readonly units: Units;
  readonly shownUnits: readonly string[];
}

function quantityKind(style: QuantityStyle, range: Range): ValueKind<number> {
  const show = (value: number) => showQuantity(value, style.units, style.shownUnits);
  const fromText = (text: string) => within(readQuantity(text, style.units), range);
  const names = Object.keys(style.units).filter(Boolean).map(inAnyCase);
  const pattern = `^\\d[\\d_]*(\\.\\d+)? ?(${names.join('|')})?$`;
  return {
    name: style.name,
    placeholder: style.placeholder,
    allowed: `${style.noun} such as ${style.examples}, ${describeRange(range, show)}`,
    repeatable: false,
    fromText,
    // A bare number means the same in a file as in a variable.
    fromFile: (value) =>
      typeof value === 'string'
        ? fromText(value)
        : typeof value === 'number' && value >= 0
          ? within(readQuantity(String(value), style.units), range)
          : undefined,
    fromValue: (value) =>
      typeof value === 'string'
        ? fromText(value)
        : Number.isSafeInteger(value)
          ? within(value as number, range)
          : undefined,
    show,
    schema: {
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', pattern },
      ],
    },
  };
}

const BYTES: QuantityStyle = {
  name: 'bytes',
  placeholder: 'SIZE',
  noun: 'a size',
  examples: '500000, 2MB or 512KiB',
  units: BYTE_UNITS,
  shownUnits: ['', 'KB', 'MB', 'GB'],
};
const TOKENS: QuantityStyle = {
  name: 'tokens',
  placeholder: 'TOKENS',
  noun: 'a number of tokens',
  examples: '30000 or 30k',
  units: TOKEN_UNITS,
  shownUnits: [''],
};
const DURATION: QuantityStyle = {
  name: 'duration',
  placeholder: 'TIME',
  noun: 'a time',
  examples: '30 (seconds), 500ms, 2s, 5m or 1h',
  units: DURATION_UNITS,
  shownUnits: ['s', 'ms', 'm', 'h'],
};

export const bytesKind = (range: Range): ValueKind<number> => quantityKind(BYTES, range);
export const tokensKind = (range: Range): ValueKind<number> => quantityKind(TOKENS, range);
/** Milliseconds once read. */
export const durationKind = (range: Range): ValueKind<number> => quantityKind(DURATION, range);

// How settings are declared. settings.ts has the declarations.

import type { Range } from '../schema/schema.ts';
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
  stringKind,
  type TextMap,
  tokensKind,
  type ValueKind,
} from './setting-kinds.ts';
import { type StoreTable, storesKind } from './stores-kind.ts';

/**
 * Who may set it: `project` includes the repository's own file, `user` does not until it is trusted, and a setting of
 * the `owner` of the machine comes from no repository at all.
 */
export type Trust = 'project' | 'user' | 'owner';

export interface Declaration<Value> {
  readonly default: Value;
  /** Without one, the variable is `LOADOUT_` and the setting's name. */
  readonly env?: string;
  readonly flag?: `--${string}`;
  readonly shortFlag?: `-${string}`;
  readonly trust: Trust;
  readonly help: string;
  /** Words for the default in help, where the value itself would not say enough. */
  readonly defaultText?: string;
}

/** A declaration with the kind of its value. */
export interface Option<Value> extends Declaration<Value> {
  readonly kind: ValueKind<Value>;
}

/** A setting with the names by which users reach it. */
export interface Setting<Value> extends Option<Value> {
  readonly name: string;
  readonly env: string;
}

const make =
  <Value>(kind: ValueKind<Value>) =>
  (declaration: Declaration<Value>): Option<Value> => ({ ...declaration, kind });

/** One function for each kind of setting. */
export const option = {
  boolean: make(booleanKind),
  string: make(stringKind),
  directory: make(directoryKind),
  map: make<TextMap>(mapKind),
  stores: make<StoreTable>(storesKind),
  ratio: make(ratioKind),
  integer: (from: Declaration<number> & Range) => make(integerKind(from))(from),
  number: (from: Declaration<number> & Range) => make(numberKind(from))(from),
  bytes: (from: Declaration<number> & Range) => make(bytesKind(from))(from),
  tokens: (from: Declaration<number> & Range) => make(tokensKind(from))(from),
  duration: (from: Declaration<number> & Range) => make(durationKind(from))(from),
  list: (from: Declaration<readonly string[]> & { readonly placeholder: string }) =>
    make(listKind(from.placeholder))(from),
  choice: <const Value extends string>(
    from: Declaration<NoInfer<Value>> & { readonly values: readonly Value[] },
  ) => make(choiceKind(from.values))(from),
};

type ValueOf<Declared> = Declared extends Option<infer Value> ? Value : never;

export type SettingsTable<Options> = { readonly [Name in keyof Options]: Setting<ValueOf<Options[Name]>> };
export type SettingsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
};

const variableFor = (name: string): string =>
  `LOADOUT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** Names every option and its variable; two settings that share a flag or a variable are a bug. */
export function defineSettings<Options extends Readonly<Record<string, unknown>>>(
  options: Options,
): SettingsTable<Options> {
  const taken = new Set<string>();
  const entries = Object.entries(options as Record<string, Option<unknown>>).map(([name, declared]) => {
    const setting = { ...declared, name, env: declared.env ?? variableFor(name) };
    for (const handle of [setting.env, setting.flag]) {
      if (handle === undefined) continue;
      if (taken.has(handle)) throw new TypeError(`${handle} is declared twice, the second time by ${name}`);
      taken.add(handle);
    }
    return [name, setting] as const;
  });
  return Object.fromEntries(entries) as SettingsTable<Options>;
}

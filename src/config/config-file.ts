// Config files: their names, how the one of a folder is found, and its entries with their places.

import { LoadoutError } from '../model/loadout-error.ts';
import { parseJsonDocument } from '../schema/parse-json-document.ts';
import { parseYamlSafely } from '../schema/parse-yaml-safely.ts';
import { documentError, pointerTo, type TextPosition } from '../schema/parsed-document.ts';

export const REPOSITORY_CONFIG_NAMES = [
  'loadout.config.json',
  'loadout.config.yaml',
  'loadout.config.yml',
] as const;
export const USER_CONFIG_NAMES = ['config.yaml', 'config.yml', 'config.json'] as const;

/** A config file that was read, before it is parsed. */
export interface ConfigFile {
  /** The name of the file in messages. */
  readonly name: string;
  readonly text: string;
}

interface ConfigEntry {
  readonly value: unknown;
  readonly position: TextPosition;
}

/** The settings of a file by name. */
export interface ConfigDocument {
  readonly name: string;
  readonly entries: ReadonlyMap<string, ConfigEntry>;
}

/** The text of a file, or null when there is no such file. */
export type ReadConfigText = (name: string) => string | null;

/** The one config file of a folder; two of them are an error, because one would be obeyed silently. */
export function findConfigFile(names: readonly string[], read: ReadConfigText): ConfigFile | null {
  const found = names.flatMap((name) => {
    const text = read(name);
    return text === null ? [] : [{ name, text }];
  });
  const [first, second] = found;
  if (first && second) {
    const both = `${first.name} and ${second.name}`;
    throw new LoadoutError('two-config-files', `both ${both} exist, and only one of them may`, {
      subject: second.name,
      hint: 'move the settings into one file and remove the other',
    });
  }
  return first ?? null;
}

/** Parses YAML or JSON, by the ending of the name. Nothing is checked yet but the shape. */
export async function readConfigDocument({ name, text }: ConfigFile): Promise<ConfigDocument> {
  const isYaml = /\.ya?ml$/i.test(name);
  const { value, positions } = isYaml ? await parseYamlSafely(text, name) : parseJsonDocument(text, name);
  const start = positions.get('') ?? { line: 1, column: 1 };
  // The value of a YAML file in which everything is commented out is null.
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw documentError(name, start, 'a config file holds settings by name, such as "tokenBudget": 30000');
  }
  const entries = Object.entries(value ?? {}).map(([key, entry]) => {
    return [key, { value: entry, position: positions.get(pointerTo('', key)) ?? start }] as const;
  });
  return { name, entries: new Map(entries) };
}

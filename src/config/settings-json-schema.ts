import type { JsonSchema } from '../schema/schema.ts';
import { SETTING_NAMES, settingByName } from './settings.ts';

/** JSON Schema of the config files, for editors. */
export function settingsJsonSchema(): JsonSchema {
  const properties = SETTING_NAMES.map((name) => {
    const { kind, help, default: value } = settingByName(name)!;
    // An empty default stands for something only the machine knows.
    return [
      name,
      { description: help, ...(value === '' ? {} : { default: inFile(name, value) }), ...kind.schema },
    ];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Loadout settings',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  };
}

/** Durations are milliseconds once read and texts with a unit in a file. */
function inFile(name: string, value: unknown): unknown {
  const { kind } = settingByName(name)!;
  return kind.name === 'duration' || kind.name === 'bytes' ? kind.show(value) : value;
}

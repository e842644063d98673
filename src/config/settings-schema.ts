// The JSON Schema of config files, for editors, made from the declarations of the settings.

import type { JsonSchema } from '../schema/schema.ts';
import type { Setting, Trust } from './define-settings.ts';
import { SETTING_NAMES, settingByName } from './settings.ts';

/** The name of the file in the folder of schemas. */
export const CONFIG_SCHEMA = 'loadout.config.schema.json';
/** Where the folder `schema/` of the published package is. The address is also the `$id`. */
export const CONFIG_SCHEMA_ADDRESS = `https://unpkg.com/loadout/schema/${CONFIG_SCHEMA}`;

const WHO: Readonly<Record<Trust, string>> = {
  project: '',
  user: "Only a user's own file may set it, and that of a repository that you trust.",
  owner: "Only a user's own file may set it.",
};

/** The JSON Schema of `loadout.config.json`, `loadout.config.yaml` and a user's own file. */
export function settingsJsonSchema(): JsonSchema {
  const settings = SETTING_NAMES.map((name) => [name, settingJson(settingByName(name)!)] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: CONFIG_SCHEMA_ADDRESS,
    title: 'Loadout settings',
    // A YAML file in which everything is commented out holds nothing.
    type: ['object', 'null'],
    properties: {
      $schema: { type: 'string', description: 'The address of this schema, for editors.' },
      ...Object.fromEntries(settings),
    },
    additionalProperties: false,
  };
}

function settingJson(setting: Setting<unknown>): JsonSchema {
  const { kind, help, trust, defaultText, default: value } = setting;
  const text = [help.replaceAll('`', ''), `Allowed is ${kind.allowed}.`, WHO[trust]]
    .filter(Boolean)
    .join(' ');
  // A default that cannot be written in a file is described in words.
  const usual =
    defaultText === undefined
      ? { default: kind.toFile(kind.show(value)) }
      : { $comment: `default: ${defaultText.replaceAll('`', '')}` };
  return { description: text, ...kind.fileJson(), ...usual };
}

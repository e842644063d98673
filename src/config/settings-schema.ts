// The JSON Schema of config files, for editors, made from the declarations of the settings.

import { FILE_SCHEMAS, schemaAddress, schemaHead } from '../schema/object-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';
import type { Setting, Trust } from './define-settings.ts';
import { SETTING_NAMES, settingByName } from './settings.ts';

/** The address that settings files name. */
export const CONFIG_SCHEMA_ADDRESS = schemaAddress(FILE_SCHEMAS.settings);

const WHO: Readonly<Record<Trust, string>> = {
  project: '',
  user: "Only a user's own file may set it, and that of a repository that you trust.",
  owner: "Only a user's own file may set it.",
};

/** The JSON Schema of `loadout.config.json`, `loadout.config.yaml` and a user's own file. */
export function settingsJsonSchema(): JsonSchema {
  const settings = SETTING_NAMES.map((name) => [name, settingJson(settingByName(name)!)] as const);
  return {
    ...schemaHead(FILE_SCHEMAS.settings),
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

/**
 * Renders the generated pages of `docs/reference/`, and the JSON Schema of settings files, from the declarations of commands and settings.
 * `scripts/generate-reference.mjs` writes them, and a test compares.
 */

import {
  REPOSITORY_CONFIG_NAMES,
  renderSettingsReference,
  settingByName,
  settingsJsonSchema,
} from '../../config/index.ts';
import { REPOSITORY_GUIDELINES } from '../../context/guidelines/index.ts';
import { FILE_SCHEMAS, schemaAddress } from '../../schema/object-schema.ts';
import type { CliCommand } from './command.ts';
import { allCommands } from './command-list.ts';

/** Every generated page of `docs/reference/`, by file name. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    'settings.md': renderSettingsReference(),
    'commands.md': renderCommandsReference(await allCommands()),
  };
}

/** Every generated file of `schema/`, by file name. */
export async function schemaFiles(): Promise<Readonly<Record<string, string>>> {
  const [{ roleSchemaFile }, places, { guidelineJsonSchema }, { contextPolicySchema }, { outputSchemas }] =
    await Promise.all([
      import('../../context/roles/role-reference.ts'),
      import('../../context/roles/role-places.ts'),
      import('../../context/guidelines/guideline-schema.ts'),
      import('../../session/policy/context-policy.ts'),
      import('./output-schemas.ts'),
    ]);
  const schemas = {
    [FILE_SCHEMAS.settings]: settingsJsonSchema(),
    [FILE_SCHEMAS.guideline]: guidelineJsonSchema(),
    [FILE_SCHEMAS.policy]: contextPolicySchema(),
    ...outputSchemas(),
    'schemastore.json': schemaStoreEntries(places.REPOSITORY_ROLES),
  };
  const texts = Object.entries(schemas).map(
    ([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`] as const,
  );
  return { ...Object.fromEntries(texts), [FILE_SCHEMAS.role]: roleSchemaFile() };
}

/**
 * Our entries for the catalogue of SchemaStore, from which editors take schemas by the names of files. They are sent
 * there by hand, once the package is published.
 */
function schemaStoreEntries(roles: string) {
  const below = (folder: string, endings: readonly string[]) =>
    endings.map((ending) => `**/${folder}/*.${ending}`);
  const entry = (what: string, file: string, fileMatch: readonly string[]) => ({
    name: `Loadout ${what}`,
    description: `${what[0]!.toUpperCase()}${what.slice(1)} of Loadout, the context engine for coding agents`,
    fileMatch,
    url: schemaAddress(file),
  });
  return [
    entry('settings', FILE_SCHEMAS.settings, REPOSITORY_CONFIG_NAMES),
    entry('roles', FILE_SCHEMAS.role, below(roles, ['yaml', 'yml'])),
    entry('guidelines', FILE_SCHEMAS.guideline, below(REPOSITORY_GUIDELINES, ['json', 'yaml', 'yml'])),
  ];
}

/** The part of the page that no declaration holds. */
const INTRODUCTION = `# Commands

Made from the declarations in \`src/surfaces/cli/commands/\` by \`node scripts/generate-reference.mjs\`.

Every command takes \`--repo DIR\` (default: the git root above the current directory), \`--json\`, \`--quiet\`,
\`--no-color\`, \`--config FILE\` and \`--help\`. The result goes to stdout, progress and diagnostics go to stderr.
Exit codes: 0 success, 1 negative result (a gate failed, nothing is relevant), 2 error, 130 interrupted.
`;

/** The reference page of all commands, in Markdown. */
function renderCommandsReference(commands: readonly CliCommand[]): string {
  return [INTRODUCTION, ...commands.map(renderCommand)].join('\n');
}

/** The section of one command: arguments, flags, settings, examples. */
function renderCommand(command: CliCommand): string {
  const words = ['loadout', command.name, ...command.arguments.map(({ syntax }) => syntax)];
  const rows = [
    ...command.arguments.map(({ syntax, help }) => `- \`${syntax}\`: ${help}`),
    ...command.flags.map(({ syntax, help }) => `- \`${syntax}\`: ${help}`),
    ...command.settings.flatMap((name) => {
      const { flag, kind } = settingByName(name)!;
      const link = `[${name}](settings.md#${name.toLowerCase()})`;
      return flag ? [`- \`${flag}${kind.placeholder ? ` <${kind.placeholder}>` : ''}\`: sets ${link}`] : [];
    }),
  ];
  const examples = command.examples.map(({ line, does }) => `# ${does}\n${line}`).join('\n');
  const parts = [`## ${words.join(' ')}`, command.summary, rows.join('\n'), `\`\`\`sh\n${examples}\n\`\`\``];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/**
 * Renders the generated pages of `docs/reference/`, and the JSON Schema of settings files, from the declarations of commands and settings.
 * `scripts/generate-reference.mjs` writes them, and a test compares.
 */

import { settingByName } from '../../config/settings.ts';
import { renderSettingsReference } from '../../config/settings-reference.ts';
import { CONFIG_SCHEMA, settingsJsonSchema } from '../../config/settings-schema.ts';
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
export function schemaFiles(): Readonly<Record<string, string>> {
  return { [CONFIG_SCHEMA]: `${JSON.stringify(settingsJsonSchema(), null, 2)}\n` };
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

// Writes docs/reference/settings.md from the declarations.

import { REPOSITORY_CONFIG_NAMES, USER_CONFIG_NAMES } from './config-file.ts';
import type { Setting, Trust } from './define-settings.ts';
import { SETTING_NAMES, settingByName } from './settings.ts';

const MAY_SET: Readonly<Record<Trust, string>> = {
  project: 'repository and user',
  user: 'user only',
  owner: 'user only, never a repository',
};

const code = (text: string): string => `\`${text}\``;
const either = (names: readonly string[]): string =>
  names
    .map(code)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

const INTRODUCTION = `# Settings

Made from the declarations in \`src/config/settings.ts\` by \`node scripts/generate-reference.mjs\`.

A setting comes from the first of these that has it:

1. a flag
2. an environment variable (an empty one counts as not set)
3. the repository's file: ${either(REPOSITORY_CONFIG_NAMES)}; \`--config FILE\` names another file instead
4. the user's file: ${either(USER_CONFIG_NAMES)} in the user's config directory
5. the default

\`loadout settings\` shows every value and where it comes from. An invalid value or an unknown name is an
error that names the place. A setting that is marked "user only" is ignored in a repository's own file, with a
warning, until you trust the repository. In a file that you name with \`--config\` it counts.

JSON files are plain JSON. YAML files have at most 256 KB, 10,000 tokens, 64 levels and 100 aliases. Tags beyond
YAML's own, merge keys and duplicate keys are refused.
`;

/** The reference page of all settings, in Markdown. */
export function renderSettingsReference(): string {
  return [INTRODUCTION, ...SETTING_NAMES.map((name) => renderSetting(settingByName(name)!))].join('\n');
}

function showDefault(setting: Setting<unknown>): string {
  return setting.defaultText ?? code(setting.kind.show(setting.default));
}

function renderSetting(setting: Setting<unknown>): string {
  const { name, kind, flag, env, trust, help } = setting;
  const value = kind.placeholder ? ` ${kind.placeholder}` : '';
  const rows = [
    ['Allowed', kind.allowed],
    ['Default', showDefault(setting)],
    ...(flag ? [['Flag', `${code(flag + value)}${kind.repeatable ? ', more than once for more' : ''}`]] : []),
    ['Variable', code(env)],
    ['May be set by', MAY_SET[trust]],
  ];
  return `## ${name}\n\n${help}\n\n${rows.map(([label, text]) => `- ${label}: ${text}`).join('\n')}\n`;
}

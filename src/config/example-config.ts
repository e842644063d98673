// The commented example of a config file: every setting with its help and its default, made from the declarations.

import type { Setting, Trust } from './define-settings.ts';
import { SETTING_NAMES, settingByName } from './settings.ts';
import { CONFIG_SCHEMA_ADDRESS } from './settings-schema.ts';

/** Whose file it is. */
export type ConfigOwner = 'repository' | 'user';

const MAX_WIDTH = 100;

const OPENING: Readonly<Record<ConfigOwner, string>> = {
  repository: 'Loadout settings for everyone who works on this repository.',
  user: "Your own Loadout settings. A repository's file takes precedence over this one.",
};

/** Values for settings whose default cannot be written in a file. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  list: ['src/**', 'docs/*.md'],
  map: { 'src/billing': 'billing' },
  stores: { team: { url: 'https://search.example.org:9200', team: 'red' } },
  directory: '/path/to/folder',
  string: 'some text',
};

/** The text of an example file in YAML. Every setting in it is commented out. */
export function exampleConfig(owner: ConfigOwner): string {
  const allowed = SETTING_NAMES.map((name) => settingByName(name)!).filter(({ trust }) =>
    maySet(owner, trust),
  );
  const others = SETTING_NAMES.filter((name) => !maySet(owner, settingByName(name)!.trust));
  const head = [
    `# yaml-language-server: $schema=${CONFIG_SCHEMA_ADDRESS}`,
    ...comment(OPENING[owner]),
    ...comment(
      'Remove the "# " in front of a setting to change it. "loadout settings" shows the values in use and where they come from.',
    ),
  ];
  const tail =
    others.length === 0
      ? []
      : ['', ...comment(`Only users may set these, in their own file: ${others.join(', ')}.`)];
  return `${[...head, ...allowed.flatMap(describe), ...tail].join('\n')}\n`;
}

const maySet = (owner: ConfigOwner, trust: Trust): boolean => owner === 'user' || trust === 'project';

function describe(setting: Setting<unknown>): readonly string[] {
  const { name, help, kind, env, flag, defaultText } = setting;
  const instead = flag === undefined ? `Variable: ${env}.` : `Flag: ${flag}. Variable: ${env}.`;
  const usual = defaultText === undefined ? '' : ` Default: ${defaultText}.`;
  return [
    '',
    ...comment(`${help}${usual}`.replaceAll('`', '')),
    // Flags and variables take more words than a file does.
    ...comment(`Allowed: ${kind.allowed.replace(/ \(also .*\)$/, '')}. ${instead}`),
    `# ${name}: ${JSON.stringify(sampleOf(setting))}`,
  ];
}

/** The default as a file would have it, or a sample where there is none to write. */
function sampleOf({ kind, default: value }: Setting<unknown>): unknown {
  const written = kind.toFile(kind.show(value));
  return kind.fromFile(written) === undefined || isEmpty(written) ? SAMPLES[kind.name] : written;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Lines of a comment, wrapped between words. */
function comment(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length + 3 > MAX_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `# ${line}`);
}

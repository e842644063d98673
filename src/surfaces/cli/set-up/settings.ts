/**
 * `loadout settings`: shows every setting with its value and its origin, and changes them in the settings files. To show,
 * it takes the flags of all settings, so that their effect can be tried. `loadout config` is another name for it.
 */

import {
  type LoadedSettings,
  type Provenance,
  SETTING_NAMES,
  type SettingName,
  settingByName,
} from '../../../config/index.ts';
import { type CliCommand, type CommandCall, unknownAction } from '../command.ts';
import { align, printable } from '../views/output.ts';

const ACTIONS = ['show', 'set', 'unset', 'edit', 'init'] as const;
type Action = (typeof ACTIONS)[number];

export const settings: CliCommand = {
  name: 'settings',
  aliases: ['config'],
  summary:
    "Show every setting and where it comes from, or change one. Changes go to the repository's file, with --user to your own file, with --config to the named file.",
  arguments: [
    { syntax: '[ACTION]', help: `One of ${ACTIONS.join(', ')}. (default: show)`, values: ACTIONS },
    { syntax: '[NAME]', help: 'set, unset: the name of a setting.', values: SETTING_NAMES },
    {
      syntax: '[VALUE]',
      help: 'set: the value, written as for the flag; commas separate list items.',
      values: 'setting-value',
    },
  ],
  groups: [
    { title: 'Change', flags: ['--user', '--force'] },
    {
      title: 'Packages and ranking',
      flags: [
        '--budget',
        '--max-budget',
        '--min-relevance',
        '--ast-weight',
        '--semantic-weight',
        '--history',
        '--packer',
      ],
    },
    {
      title: 'Scanning',
      flags: [
        '--mode',
        '--interval',
        '--include',
        '--exclude',
        '--max-file-size',
        '--max-files',
        '--parse-timeout',
        '--workers',
      ],
    },
    {
      title: 'Hooks and server',
      flags: [
        '--hook-form',
        '--hook-gate',
        '--hook-max-chars',
        '--hook-package',
        '--hook-budget',
        '--hook-records',
        '--session-map',
        '--summary-tokens',
        '--warm-server',
      ],
    },
    { title: 'Loops', flags: ['--guard', '--prompt-bytes'] },
    { title: 'Team store', flags: ['--store', '--store-as', '--store-branch', '--store-timeout'] },
  ],
  settings: SETTING_NAMES,
  flags: [
    {
      syntax: '--user',
      help: 'set, unset, edit, init: change your own file, which applies to all repositories.',
    },
    { syntax: '--force', help: 'init: replace the existing file, and keep a copy of it.' },
  ],
  examples: [
    { line: 'loadout settings', does: 'the settings in this repository' },
    { line: 'loadout settings set tokenBudget 30k', does: "set it in the repository's file" },
    { line: 'loadout settings set hookGate strict --user', does: 'set it for yourself' },
    { line: 'loadout settings unset tokenBudget', does: 'remove it from the file' },
    { line: 'loadout settings edit --user', does: 'open your file in your editor, and check it' },
    { line: 'loadout config init', does: 'write an example file that explains every setting' },
    { line: 'loadout settings --budget 30k', does: 'show the settings that this flag gives a command' },
    {
      line: 'REPO_SCAN_MODE=full loadout settings --json',
      does: 'show what a variable sets, as JSON for programs',
    },
  ],
  run: async (call) => {
    const [action = 'show'] = call.arguments;
    if (action === 'show') return show(call);
    const { changeSetting, editFile, writeExample } = await import('./settings-file.ts');
    switch (action as Action) {
      case 'set':
      case 'unset':
        return changeSetting(call);
      case 'edit':
        return editFile(call);
      case 'init':
        return writeExample(call);
    }
    throw unknownAction(call, ACTIONS);
  },
};

/** One row for each setting: name, origin, value. */
async function show(call: CommandCall): Promise<number> {
  const loaded = await call.settings();
  if (call.global.json) {
    const list = SETTING_NAMES.map((name) => describe(name, loaded));
    call.output.json({ settings: list, diagnostics: loaded.diagnostics });
    return 0;
  }
  const { dim } = call.output.colors;
  const rows = SETTING_NAMES.map((name) => {
    const { shown, source, where } = describe(name, loaded);
    // the value comes last: it may be as long as a whole table of stores
    return [name, dim(printable(origin({ source, where }))), printable(shown) || '(none)'];
  });
  for (const line of align(rows)) call.output.line(line);
  return 0;
}

/** A setting as `--json` prints it. */
function describe(name: SettingName, loaded: LoadedSettings) {
  const { kind, flag, env } = settingByName(name)!;
  const value = loaded.settings[name];
  return {
    name,
    value,
    shown: kind.show(value),
    ...loaded.provenance[name],
    flag: flag ?? null,
    variable: env,
  };
}

/** The origins of a value in the words of the user. */
const ORIGINS: Readonly<Record<Provenance['source'], string>> = {
  program: 'program',
  flag: 'flag',
  environment: 'environment',
  'config-flag-file': 'file given with --config',
  'repository-file': 'repository file',
  'user-file': 'user file',
  default: 'default',
};

/** The origin with the file or variable, if there is one. */
const origin = ({ source, where }: Provenance): string =>
  where ? `${ORIGINS[source]}, ${where}` : ORIGINS[source];

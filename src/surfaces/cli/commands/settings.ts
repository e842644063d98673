/**
 * `loadout settings`: shows every setting with its value and its origin. It takes the flags of all settings, so
 * that their effect can be tried.
 */

import type { LoadedSettings, Provenance } from '../../../config/load-settings.ts';
import { SETTING_NAMES, type SettingName, settingByName } from '../../../config/settings.ts';
import type { CliCommand } from '../command.ts';
import { align, printable } from '../views/output.ts';

export const settings: CliCommand = {
  name: 'settings',
  summary: 'Show every setting, its value and where it comes from.',
  arguments: [],
  groups: [
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
  flags: [],
  examples: [
    { line: 'loadout settings', does: 'the settings in this repository' },
    { line: 'loadout settings --budget 30k', does: 'the same, with a flag as a command would read it' },
    { line: 'REPO_SCAN_MODE=full loadout settings --json', does: 'with a variable, as JSON for programs' },
  ],
  run: async (call) => {
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
  },
};

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

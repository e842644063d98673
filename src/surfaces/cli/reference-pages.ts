import { renderSettingsReference } from '../../config/settings-reference.ts';
import { allCommands } from './command-list.ts';
import { renderCommandsReference } from './commands-reference.ts';

/** Every generated page of `docs/reference/`, by file name. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    'settings.md': renderSettingsReference(),
    'commands.md': renderCommandsReference(await allCommands()),
  };
}

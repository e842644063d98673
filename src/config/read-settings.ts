import {
  type ConfigFile,
  findConfigFile,
  REPOSITORY_CONFIG_NAMES,
  type ReadConfigText,
  readConfigDocument,
  USER_CONFIG_NAMES,
} from './config-file.ts';
import { type LoadedSettings, loadSettings, type SettingsSources } from './load-settings.ts';

export interface SettingsRequest
  extends Pick<SettingsSources, 'flags' | 'environment' | 'trusted' | 'defaults'> {
  /** Reads a file at the root of the repository, safely. */
  readonly readRepositoryFile: ReadConfigText;
  /** Reads a file in the user's config directory. */
  readonly readUserFile: ReadConfigText;
  /** For messages; a bare `config.yaml` would leave the user to search. */
  readonly userDirectory: string;
  /** What `--config` names, already read; it stands in place of the repository's own file. */
  readonly configFlagFile: ConfigFile | null;
}

/** Finds and parses the config files, then settles every setting. */
export async function readSettings(request: SettingsRequest): Promise<LoadedSettings> {
  const { flags, environment, trusted, defaults = {}, configFlagFile } = request;
  const repositoryFile = configFlagFile
    ? null
    : findConfigFile(REPOSITORY_CONFIG_NAMES, request.readRepositoryFile);
  const found = findConfigFile(USER_CONFIG_NAMES, request.readUserFile);
  const userFile = found && { ...found, name: `${request.userDirectory}/${found.name}` };
  const parse = (file: ConfigFile | null) => (file ? readConfigDocument(file) : null);
  return loadSettings({
    flags,
    environment,
    trusted,
    defaults,
    configFlagFile: await parse(configFlagFile),
    repositoryFile: await parse(repositoryFile),
    userFile: await parse(userFile),
  });
}

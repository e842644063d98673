// Settings and trust: what other folders may use.

export {
  type ConfigFile,
  findConfigFile,
  REPOSITORY_CONFIG_NAMES,
  readConfigDocument,
  USER_CONFIG_NAMES,
} from './config-file.ts';
export type { Setting } from './define-settings.ts';
export { type ConfigOwner, exampleConfig } from './example-config.ts';
export {
  type LoadedSettings,
  librarySettings,
  loadSettings,
  type Provenance,
  readSettings,
  type SettingsSources,
} from './load-settings.ts';
export { durationKind, integerKind, tokensKind, type ValueKind } from './setting-kinds.ts';
export { SETTING_NAMES, type SettingName, type Settings, settingByName } from './settings.ts';
export { renderSettingsReference } from './settings-reference.ts';
export { settingsJsonSchema } from './settings-schema.ts';
export type { StoreKind, StoreSetting } from './stores-kind.ts';
export {
  grantTrust,
  ROOT,
  readTrust,
  revokeTrust,
  type TrustedRoot,
  type TrustState,
  trustDiagnostics,
} from './trust/read-trust.ts';
export { OWN_FOLDERS } from './trust/trust-material.ts';

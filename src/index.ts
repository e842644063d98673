// The public API, by name. Heavy parts live at subpaths: `loadout/parse`.
export type { Settings } from './config/settings.ts';
export {
  createLoadout,
  type Loadout,
  type LoadoutOptions,
  type Package,
  type PackRequest,
  type RankRequest,
} from './create-loadout.ts';
export { type MapOptions, map, type RepositoryOptions, type ScanOptions, scan } from './library.ts';
export type { RepositoryMap } from './map-repository.ts';
export type { ContextItem, ContextPack, OmittedItem, Receipt } from './model/context-pack.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export type { SkipReason } from './model/file-entry.ts';
export { LoadoutError } from './model/loadout-error.ts';
export type { LineSpan, RankedFile, RankedSymbol, Ranking, Signal } from './model/ranking.ts';
export type { LanguageLinks, ScanMode, ScanResult } from './model/scan-result.ts';
export type { ScanStep } from './scan/run-scan.ts';

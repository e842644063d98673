export type { Diagnostic } from './model/diagnostic.ts';
export { LoadoutError } from './model/loadout-error.ts';
export type { ScanMode, ScanResult } from './model/scan-result.ts';

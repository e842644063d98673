export { hasBinaryExtension } from './binary-extensions.ts';
export {
  AST_CONTEXT_FILE,
  type DiscoverOptions,
  type Discovery,
  discoverFiles,
  isOwnOutput,
  type KnownFiles,
  listingKey,
} from './discover-files.ts';
export type { ListedFile } from './listed-file.ts';
export { looksGenerated } from './looks-generated.ts';
export { createPathFilter } from './path-filter.ts';

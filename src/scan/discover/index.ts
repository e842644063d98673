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
export { createPathFilter } from './path-filter.ts';
export { hasBinaryExtension, looksGenerated } from './telling-signs.ts';

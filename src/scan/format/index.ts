export {
  type CommitTable,
  CREATED,
  decodeCurrentHistory,
  decodeHistory,
  encodeHistory,
  type HeadList,
  PLAIN,
  RENAMED,
  type StoredHistory,
} from './history-codec.ts';
export {
  INDEX_FORMAT,
  type IndexFolder,
  IndexStore,
  isIndexFile,
  OpenIndex,
  WRITER_LOCK,
} from './index-store.ts';
export { interfaceHash } from './record-codec.ts';
export { DamagedFileError, type RangeReader } from './section-file.ts';
export { SegmentBuilder } from './segment-builder.ts';
export { SegmentReader } from './segment-reader.ts';
export { snapshotId } from './snapshot-codec.ts';

import { BUILT_FORMATS } from '../../platform/cache/built-formats.ts';

/** Another one whenever a section or the parser's findings change: segments of another number are rebuilt. */
export const SEGMENT_FORMAT = BUILT_FORMATS.segments;

/** Lines kept for one word in one file; the count stays exact beyond that. */
export const MAX_POSITIONS = 64;

/** Sections of which a search looks at a few places. */
export const PAGED_SECTIONS: readonly string[] = ['postings', 'words', 'parts', 'partWords'];

/** Columns of the `documents` section, see `DOCUMENT` of the model. */
export const DOCUMENT_COLUMNS = 8;

/** Bits of the `flags` column; the lowest three hold the parse problem. */
export const FLAG = { problemMask: 7, syntaxErrors: 8, generated: 16 } as const;

/** Reasons why a file has no structure, in the order of their numbers on disk. */
export const PARSE_PROBLEMS = [
  'parser-timeout',
  'parser-crashed',
  'too-complex',
  'no-grammar',
  'minified',
] as const;

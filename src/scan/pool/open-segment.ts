import type { SkipReason, StatHint } from '../../model/file-entry.ts';
import type { ParseProblem } from '../../model/parsed-file.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { contentHash } from '../../platform/fs/read-file.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { looksGenerated } from '../discover/index.ts';
import { interfaceHash, SegmentBuilder } from '../format/index.ts';
import { createTokenizer, detectLanguage, type Language, type ParseText } from '../parse/index.ts';

/** Files that a parser process reads into one segment. */
export interface SegmentJob {
  readonly root: string;
  /** Folder and name of the segment to write. */
  readonly folder: string;
  readonly name: string;
  /** What comes to the files that earlier jobs have brought to the segment. */
  readonly files: readonly SegmentJobFile[];
  /** Grammars that are loaded for these files are not worth the time of the optimizer. */
  readonly isSmall: boolean;
  /** Nothing more comes: the segment is written. */
  readonly isLast: boolean;
  readonly maxFileBytes: number;
  readonly parseLimitMs: number;
}

/** What a worker is about to parse. */
export interface ParserReadiness extends Pick<SegmentJob, 'parseLimitMs'> {
  /** A file of the language. */
  readonly path: string;
}

export interface SegmentJobFile {
  readonly path: string;
  /** Words only: the parser hung or crashed on this file before. */
  readonly plain: boolean;
  /** Data, not source: its beginning says what it is, and the rest is not worth the room. */
  readonly light: boolean;
}

/** What a parser process found out about one file, beside the findings in the segment. */
export interface SegmentFileResult {
  readonly skip: SkipReason | null;
  readonly hash: string;
  readonly size: number;
  readonly language: string | null;
  readonly saysGenerated: boolean;
  readonly hint: StatHint | null;
  readonly document: number;
  readonly problem: ParseProblem | null;
  readonly symbolCount: number;
  readonly interfaceHash: number;
}

/** The answer of a parser process to a job. */
export interface SegmentResult {
  /** Of this job. */
  readonly files: readonly SegmentFileResult[];
  /** Of the segment. */
  readonly documents: number;
  readonly residentBytes: number;
}

const HEAD_CHARACTERS = 1_000;
const LFS_POINTER = 'version https://git-lfs';

/** Equal content, read in the same way, gives equal findings wherever the file lies. */
export function documentKey(hash: string, language: string | null, light: boolean): string {
  return `${hash}:${language ?? ''}${light ? ':light' : ''}`;
}

/** What is read of a data file. */
const LIGHT_CHARACTERS = 4_000;

/** The words of a long list of values say no more than those of its beginning. */
const DATA_CHARACTERS = 32_000;

function wordsWorthKeeping(text: string, language: Language | null): string {
  return !language || language.kind === 'data' ? text.slice(0, DATA_CHARACTERS) : text;
}

function skipped(skip: SkipReason, size: number, hint: StatHint | null = null): SegmentFileResult {
  return {
    skip,
    hash: '',
    size,
    language: null,
    saysGenerated: false,
    hint,
    document: -1,
    problem: null,
    symbolCount: 0,
    interfaceHash: 0,
  };
}

export interface OpenSegment {
  readonly builder: SegmentBuilder;
  read(files: readonly SegmentJobFile[], begun: () => void): Promise<SegmentFileResult[]>;
}

/** Reads, parses and splits into words file after file; what a file holds can make it skipped, never fail. */
export function openSegment(root: SafeRoot, maxFileBytes: number, parse: ParseText): OpenSegment {
  const tokenizer = createTokenizer();
  const builder = new SegmentBuilder(tokenizer.vocabulary);
  const seen = new Map<string, SegmentFileResult>();

  async function readOne({ path, plain, light }: SegmentJobFile): Promise<SegmentFileResult> {
    const outcome = root.read(path, maxFileBytes);
    if (outcome.kind === 'skipped') return skipped(outcome.reason, outcome.size);
    const { bytes, hint } = outcome;
    const decoded = decodeText(bytes);
    if (decoded.kind === 'binary')
      return { ...skipped('binary', bytes.length, hint), hash: contentHash(bytes) };
    const text = light ? decoded.text.slice(0, LIGHT_CHARACTERS) : decoded.text;
    if (text.startsWith(LFS_POINTER))
      return { ...skipped('lfs-pointer', bytes.length, hint), hash: contentHash(bytes) };
    const hash = contentHash(bytes);
    const head = text.slice(0, HEAD_CHARACTERS);
    const language = detectLanguage(path, head);
    const key = documentKey(hash, language?.id ?? null, light);
    const twin = seen.get(key);
    if (twin) return { ...twin, hint: twin.problem === 'no-grammar' ? null : hint };
    const parsed = await parse(text, plain || light ? null : language);
    const found = { ...parsed, problem: plain ? ('parser-crashed' as const) : parsed.problem };
    const generated = looksGenerated(head);
    const document = builder.add({
      key,
      byteLength: bytes.length,
      generated,
      parsed: found,
      words: tokenizer.tokenize(wordsWorthKeeping(text, language), language, found.symbols),
    });
    // what a sound installation would have found is asked for again each time
    const isLacking = found.problem === 'no-grammar';
    const result: SegmentFileResult = {
      skip: null,
      hash,
      size: bytes.length,
      language: isLacking ? null : (language?.id ?? null),
      saysGenerated: generated,
      hint: isLacking ? null : hint,
      document,
      problem: found.problem,
      symbolCount: found.symbols.length,
      interfaceHash: interfaceHash(found.symbols, found.imports),
    };
    seen.set(key, result);
    return result;
  }

  return {
    builder,
    async read(files, begun) {
      const results: SegmentFileResult[] = [];
      for (const file of files) {
        begun();
        results.push(await readOne(file));
      }
      return results;
    },
  };
}

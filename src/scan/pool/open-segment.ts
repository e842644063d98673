// The work of a parser process: it reads a file, decodes it, parses it, splits it into words and adds it to a segment.
// The types of its jobs and answers are here, too.
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
  /** The files of this job. They are added to those of earlier jobs for the same segment. */
  readonly files: readonly SegmentJobFile[];
  /** Too few files to let the optimizer work on their grammar. */
  readonly isSmall: boolean;
  /** The last job of the segment: it is written to disk. */
  readonly isLast: boolean;
  readonly maxFileBytes: number;
  readonly parseLimitMs: number;
}

/** A text and the path that tells its language. */
export interface CommentText {
  readonly path: string;
  readonly text: string;
}

/** Texts for a parser process, which answers with a result for each. */
export interface CommentJob {
  readonly comments: readonly CommentText[];
  readonly parseLimitMs: number;
}

/** A file of a job, and how thoroughly it is read. */
export interface SegmentJobFile {
  readonly path: string;
  /** Only its words are read, because the parser hung or crashed on it before. */
  readonly plain: boolean;
  /** A data file. Only its beginning is read. */
  readonly light: boolean;
}

/** The result for one file, apart from the findings in the segment. */
export interface SegmentFileResult {
  readonly skip: SkipReason | null;
  readonly hash: string;
  readonly size: number;
  readonly language: string | null;
  readonly saysGenerated: boolean;
  readonly hint: StatHint | null;
  /** Its number in the segment; -1 when it is not in it. */
  readonly document: number;
  readonly problem: ParseProblem | null;
  readonly symbolCount: number;
  readonly interfaceHash: number;
}

/** The answer of a parser process to a job. */
export interface SegmentResult {
  /** For the files of this job, in order. */
  readonly files: readonly SegmentFileResult[];
  /** Number of documents in the segment so far. */
  readonly documents: number;
  /** Memory of the process. A large one is replaced. */
  readonly residentBytes: number;
}

const HEAD_CHARACTERS = 1_000;
/** How a file begins whose content is stored in git LFS and not on this disk. */
const LFS_POINTER = 'version https://git-lfs';

/** The key of a document. Equal content that is read in the same way gives equal findings at any path. */
export function documentKey(hash: string, language: string | null, light: boolean): string {
  return `${hash}:${language ?? ''}${light ? ':light' : ''}`;
}

/** Characters of a light file that are read. */
const LIGHT_CHARACTERS = 4_000;

/** Characters of data and unknown formats whose words are kept. More values say nothing new. */
const DATA_CHARACTERS = 32_000;

function wordsWorthKeeping(text: string, language: Language | null): string {
  return !language || language.kind === 'data' ? text.slice(0, DATA_CHARACTERS) : text;
}

/** The result for a file without findings. */
export function skipped(skip: SkipReason, size: number, hint: StatHint | null = null): SegmentFileResult {
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

/** A segment that is being filled. */
export interface OpenSegment {
  readonly builder: SegmentBuilder;
  read(files: readonly SegmentJobFile[], begun: () => void): Promise<SegmentFileResult[]>;
}

/** Reads files into a segment. The content of a file can make it skipped; it can never make this fail. */
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
    const generated = looksGenerated(text, language?.kind ?? null);
    const document = builder.add({
      key,
      byteLength: bytes.length,
      generated,
      parsed: found,
      words: tokenizer.tokenize(wordsWorthKeeping(text, language), language, found.symbols),
    });
    // A missing grammar is a fault of the installation. Without a hint the next scan tries again.
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

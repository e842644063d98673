import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { optimizeNewGrammars, readPackagedGrammar } from '../../platform/cache/grammar-files.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { ownCpuMs } from '../../platform/process/process-identity.ts';
import { endAtOnce, residentBytes, serveJobs } from '../../platform/process/worker-process.ts';
import {
  createCommentFinder,
  createParser,
  detectLanguage,
  type FoundComments,
  type Highlight,
} from '../parse/index.ts';
import type { HighlightJob, HighlightResult } from './highlighter.ts';
import {
  type CommentJob,
  type OpenSegment,
  openSegment,
  type SegmentJob,
  type SegmentResult,
} from './open-segment.ts';

/** The main module of a parser process. A grammar that hangs or aborts takes down this process and nothing else. */
const parsers = new Map<number, ReturnType<typeof createParser>>();

function parserFor(limitMs: number): ReturnType<typeof createParser> {
  let parser = parsers.get(limitMs);
  if (!parser) {
    parser = createParser({
      readGrammar: readPackagedGrammar,
      now: monotonicMs,
      workedMs: ownCpuMs,
      limitMs,
      // The next process tries again and knows on which file this one died.
      onRuntimeGone: endAtOnce,
    });
    parsers.set(limitMs, parser);
  }
  return parser;
}

/** The segment that is being filled; null between two segments. */
let current: { readonly name: string; readonly segment: OpenSegment } | null = null;

/** Reads the files of one job into the current segment, and writes the segment after the last job. */
async function work(job: SegmentJob, begun: () => void): Promise<SegmentResult> {
  const { name } = job;
  if (current?.name !== name) {
    const parse = parserFor(job.parseLimitMs);
    current = { name, segment: openSegment(openSafeRoot(job.root), job.maxFileBytes, parse) };
  }
  const { segment } = current;
  optimizeNewGrammars(!job.isSmall);
  const files = await segment.read(job.files, begun);
  if (job.isLast) {
    // A sign of life, so that the time for writing the segment is not held against the last file.
    begun();
    current = null;
    // The parent syncs the segment to disk before it commits, so this need not wait.
    if (segment.builder.size > 0)
      new CacheFolder(job.folder).writeChunks(name, segment.builder.finish(), { syncLater: true });
  }
  return { files, documents: segment.builder.size, residentBytes: residentBytes() };
}

/** Finds the comments of texts that the parent has read. */
async function findCommentsOf(
  { comments, parseLimitMs }: CommentJob,
  begun: () => void,
): Promise<FoundComments[]> {
  findComments ??= createCommentFinder({
    readGrammar: readPackagedGrammar,
    now: monotonicMs,
    limitMs: parseLimitMs,
  });
  const found: FoundComments[] = [];
  for (const { path, text } of comments) {
    begun();
    found.push(await findComments(text, detectLanguage(path, text.slice(0, HEAD_CHARACTERS))));
  }
  return found;
}

let findComments: ReturnType<typeof createCommentFinder> | null = null;
/** Of a text, for its language. */
const HEAD_CHARACTERS = 1_000;

let highlight: Highlight | null = null;

/** Colours one text. The time limit of the parent is the one that a hanging grammar obeys. */
async function colour({ text, path, limitMs }: HighlightJob): Promise<HighlightResult> {
  optimizeNewGrammars(false);
  const { createHighlight } = await import('../parse/highlight.ts');
  highlight ??= createHighlight({ readGrammar: readPackagedGrammar, now: monotonicMs, limitMs });
  const marks = await highlight(text, detectLanguage(path, text.slice(0, HEAD_CHARACTERS)));
  return { marks, residentBytes: residentBytes() };
}

serveJobs<SegmentJob | CommentJob | HighlightJob, SegmentResult | FoundComments[] | HighlightResult>(
  (job, begun) => {
    if ('text' in job) return colour(job);
    return 'comments' in job ? findCommentsOf(job, begun) : work(job, begun);
  },
  (job) => 'text' in job || 'comments' in job || job.isLast,
);

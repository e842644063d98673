import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { optimizeNewGrammars, readPackagedGrammar } from '../../platform/cache/grammar-files.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { ownCpuMs } from '../../platform/process/process-identity.ts';
import { endAtOnce, residentBytes, serveJobs } from '../../platform/process/worker-process.ts';
import { createParser, detectLanguage } from '../parse/index.ts';
import {
  type OpenSegment,
  openSegment,
  type ParserReadiness,
  type SegmentJob,
  type SegmentResult,
} from './open-segment.ts';

/** The process that parses: a grammar that hangs or aborts takes this process with it and nothing else. */
const parsers = new Map<number, ReturnType<typeof createParser>>();

function parserFor(limitMs: number): ReturnType<typeof createParser> {
  let parser = parsers.get(limitMs);
  if (!parser) {
    parser = createParser({
      readGrammar: readPackagedGrammar,
      now: monotonicMs,
      workedMs: ownCpuMs,
      limitMs,
      // the next process tries again, and knows which file this one died of
      onRuntimeGone: endAtOnce,
    });
    parsers.set(limitMs, parser);
  }
  return parser;
}

let current: { readonly name: string; readonly segment: OpenSegment } | null = null;

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
    // the last sign of life was the last file's: laying out the segment is not its fault
    begun();
    current = null;
    // the parent makes sure that the segment is on disk before it commits, and need not wait for that yet
    if (segment.builder.size > 0)
      new CacheFolder(job.folder).writeChunks(name, segment.builder.finish(), { syncLater: true });
  }
  return { files, documents: segment.builder.size, residentBytes: residentBytes() };
}

/** Parsing nothing loads all that a parser needs. */
async function getReady({ path, parseLimitMs }: ParserReadiness): Promise<void> {
  await parserFor(parseLimitMs)('', detectLanguage(path, null));
}

serveJobs(work, getReady, ({ isLast }) => isLast);

import { detectLanguage } from '../parse/detect-language.ts';
import { createParser } from '../parse/parse-file.ts';
import { CacheFolder } from '../platform/cache-folder.ts';
import { monotonicMs } from '../platform/clock.ts';
import { readPackagedGrammar } from '../platform/grammar-files.ts';
import { ownCpuMs } from '../platform/process-cpu.ts';
import { openSafeRoot } from '../platform/safe-root.ts';
import { residentBytes, serveJobs } from '../platform/worker-side.ts';
import { buildSegment, type ParserReadiness, type SegmentJob, type SegmentResult } from './build-segment.ts';

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
    });
    parsers.set(limitMs, parser);
  }
  return parser;
}

async function work(job: SegmentJob, begun: () => void): Promise<SegmentResult> {
  const root = openSafeRoot(job.root);
  const { files, builder } = await buildSegment(job, root, parserFor(job.parseLimitMs), begun);
  // the last sign of life was the last file's: laying out the segment is not its fault
  begun();
  // whoever commits the segment sees to it that it is on disk, and need not wait for that yet
  if (builder.size > 0)
    new CacheFolder(job.folder).writeChunks(job.name, builder.finish(), { syncLater: true });
  return { files, documents: builder.size, residentBytes: residentBytes() };
}

/** Parsing nothing loads all that a parser needs. */
async function getReady({ path, parseLimitMs }: ParserReadiness): Promise<void> {
  await parserFor(parseLimitMs)('', detectLanguage(path, null));
}

serveJobs(work, getReady);

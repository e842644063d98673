// Colours texts in a process of its own: a grammar that hangs or aborts takes that process down, and the text stays plain.
import type { TextMarks } from '../../model/text-mark.ts';
import { WorkerProcess } from '../../platform/process/worker-process.ts';

/** A text to colour; its path tells the language. */
export interface HighlightJob {
  readonly text: string;
  readonly path: string;
  /** Time for the grammar, in milliseconds. */
  readonly limitMs: number;
}

/** The answer of the process. */
export interface HighlightResult {
  readonly marks: TextMarks | null;
  readonly residentBytes: number;
}

/** How the process is started; the same as for a scan. */
interface HighlighterOptions {
  readonly workerModule: string;
  readonly nodeOptions: readonly string[];
  readonly codeFolder: string;
}

/** Colours texts, one after the other. */
export interface Highlighter {
  /** Null when the text has no colours: no grammar, too large, or the grammar failed on it. */
  marksOf(text: string, path: string): Promise<TextMarks | null>;
  close(): void;
}

const LIMIT_MS = 1_000;
/** A process that is silent for longer is ended. It may have to start and load a grammar first. */
const PATIENCE_MS = 6_000;
/** Grammars never give memory back. */
const RECYCLE_BYTES = 600_000_000;

type HighlightProcess = WorkerProcess<HighlightJob, HighlightResult>;

/** A highlighter. Its process starts with the first text. */
export function openHighlighter({ workerModule, nodeOptions, codeFolder }: HighlighterOptions): Highlighter {
  let worker: HighlightProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const end = () => {
    worker?.kill();
    worker = null;
  };

  async function run(text: string, path: string): Promise<TextMarks | null> {
    if (isClosed) return null;
    worker ??= new WorkerProcess(workerModule, nodeOptions, codeFolder);
    const outcome = await worker.run({ text, path, limitMs: LIMIT_MS }, () => PATIENCE_MS);
    if (outcome.kind === 'done' && outcome.result.residentBytes < RECYCLE_BYTES) return outcome.result.marks;
    end();
    return outcome.kind === 'done' ? outcome.result.marks : null;
  }

  return {
    marksOf(text, path) {
      const marks = last.then(() => run(text, path));
      last = marks.catch(() => {});
      return marks;
    },
    close() {
      isClosed = true;
      end();
    },
  };
}

// Decides what happens after a parser process dies: which files are read again, and when a file is to blame.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type SegmentFileResult, type SegmentJobFile, skipped } from './open-segment.ts';

/** The result for a file that no worker could read. */
const GIVEN_UP = skipped('unreadable', 0);
/** Deaths without a suspect file, before the scan gives up. */
const MAX_BLAMELESS_DEATHS = 8;
/** A worker can die on an innocent file by chance, but hardly three times on the same one. */
const INNOCENT_DEATHS = 2;
/** Suspects are not among the first files: grammars load then, which would look like a hang. */
const WARM_UP_FILES = 16;

/**
 * The attempts to build one segment. A worker holds its findings in memory until the segment is full, so when it dies,
 * another one reads all files again. The file on which it died is tried again, because it may be innocent: the system
 * may have run out of memory, or a user may have killed the process. After that the file is read as plain text, and
 * skipped if even that fails.
 */
export class SegmentAttempts {
  readonly #files: SegmentJobFile[] = [];
  readonly #results: SegmentFileResult[] = [];
  /** Files on which a worker has died, with how often. */
  readonly #suspects = new Map<number, number>();
  readonly #plain = new Set<number>();
  readonly #dropped = new Set<number>();
  /** Files that the current worker has not read yet. */
  #waiting: number[] = [];
  #order: readonly number[] = [];
  #blamelessDeaths = 0;

  /** Adds files to the segment. They wait for the next job. */
  add(files: readonly SegmentJobFile[]): void {
    for (const file of files) this.#waiting.push(this.#files.push(file) - 1);
  }

  /** The files for the next job. Suspects come early, so that another death costs little. */
  next(): SegmentJobFile[] {
    const rest = this.#waiting.filter((at) => !this.#suspects.has(at));
    const suspects = this.#waiting.filter((at) => this.#suspects.has(at) && !this.#dropped.has(at));
    this.#order = [...rest.slice(0, WARM_UP_FILES), ...suspects, ...rest.slice(WARM_UP_FILES)];
    return this.#order.map((at) => ({ ...this.#files[at]!, plain: this.#isPlain(at) }));
  }

  /** Takes the results of a job that succeeded. */
  finish(results: readonly SegmentFileResult[]): void {
    this.#order.forEach((at, index) => {
      this.#results[at] = results[index]!;
    });
    this.#waiting = [];
  }

  /**
   * Records a death after `begun` files were begun. Returns a warning when a file is read as plain text or skipped from
   * now on.
   */
  died(begun: number, hung: boolean): Diagnostic | null {
    this.#waiting = [...this.#files.keys()];
    this.#results.length = 0;
    const culprit = this.#order[begun - 1];
    if (culprit === undefined) {
      if (++this.#blamelessDeaths > MAX_BLAMELESS_DEATHS)
        throw new LoadoutError(
          'scan-failed',
          `the parser process ended ${begun === 0 ? 'before it read its first file' : 'while it wrote the index'}`,
          { hint: 'run "loadout doctor"' },
        );
      return null;
    }
    const deaths = (this.#suspects.get(culprit) ?? 0) + 1;
    this.#suspects.set(culprit, deaths);
    if (this.#isPlain(culprit)) this.#dropped.add(culprit);
    else if (deaths > INNOCENT_DEATHS || hung) this.#plain.add(culprit);
    else return null;
    const { path } = this.#files[culprit]!;
    const message = this.#dropped.has(culprit)
      ? `${path} could not be read without a crash and was skipped`
      : `the parser hung or crashed on ${path}, which was read as plain text`;
    return { code: 'parser-crashed', severity: 'warning', message, path };
  }

  /** Whether the file is read as plain text, because of this scan or an earlier one. */
  #isPlain(at: number): boolean {
    return this.#plain.has(at) || this.#files[at]!.plain;
  }

  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** The results in the order of `paths`. `describe` adds what can be said about a file that was given up. */
  results(describe: (path: string) => Partial<SegmentFileResult> = () => ({})): SegmentFileResult[] {
    return this.#files.map(({ path }, at) => this.#results[at] ?? { ...GIVEN_UP, ...describe(path) });
  }
}

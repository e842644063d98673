import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { SegmentFileResult, SegmentJobFile } from './open-segment.ts';

/** Deaths that no file can be blamed for, before a segment is given up. */
const MAX_BLAMELESS_DEATHS = 8;
/** A worker may die on a file that has nothing to do with it, but hardly three times on the same one. */
const INNOCENT_DEATHS = 2;
/** A worker spends long on its first files, while grammars load: no time to have a suspect under suspicion. */
const WARM_UP_FILES = 16;

/**
 * The tries that one segment takes. A worker holds what it has found until the segment is full: when it dies, another
 * one reads all of it again. A file on which a worker dies is tried again, because it may be innocent: memory runs
 * out, people kill. Then it is read as plain text, and skipped if even that fails.
 */
export class SegmentAttempts {
  readonly #files: SegmentJobFile[] = [];
  readonly #results: SegmentFileResult[] = [];
  /** Files on which a worker has died, with how often. */
  readonly #suspects = new Map<number, number>();
  readonly #plain = new Set<number>();
  readonly #dropped = new Set<number>();
  /** What the worker has not read yet. */
  #waiting: number[] = [];
  #order: readonly number[] = [];
  #blamelessDeaths = 0;

  add(files: readonly SegmentJobFile[]): void {
    for (const file of files) this.#waiting.push(this.#files.push(file) - 1);
  }

  /** What the worker is to read next; suspects come early, so that another death costs little. */
  next(): SegmentJobFile[] {
    const rest = this.#waiting.filter((at) => !this.#suspects.has(at));
    const suspects = this.#waiting.filter((at) => this.#suspects.has(at) && !this.#dropped.has(at));
    this.#order = [...rest.slice(0, WARM_UP_FILES), ...suspects, ...rest.slice(WARM_UP_FILES)];
    return this.#order.map((at) => ({ ...this.#files[at]!, plain: this.#isPlain(at) }));
  }

  /** The worker has read what it was given. */
  finish(results: readonly SegmentFileResult[]): void {
    this.#order.forEach((at, index) => {
      this.#results[at] = results[index]!;
    });
    this.#waiting = [];
  }

  /** Takes note of a death while `begun` files had been begun; says so when a file has to suffer for it. */
  died(begun: number, hung: boolean): Diagnostic | null {
    this.#waiting = [...this.#files.keys()];
    this.#results.length = 0;
    const culprit = this.#order[begun - 1];
    if (culprit === undefined) {
      if (++this.#blamelessDeaths > MAX_BLAMELESS_DEATHS)
        throw new LoadoutError(
          'scan-failed',
          `the parser process ends ${begun === 0 ? 'before it reads its first file' : 'while it writes the index'}`,
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

  #isPlain(at: number): boolean {
    return this.#plain.has(at) || this.#files[at]!.plain;
  }

  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** What was found, in the order of `paths`; `describe` says of a file that was given up which one it was. */
  results(describe: (path: string) => Partial<SegmentFileResult> = () => ({})): SegmentFileResult[] {
    return this.#files.map(({ path }, at) => this.#results[at] ?? { ...GIVEN_UP, ...describe(path) });
  }
}

const GIVEN_UP: SegmentFileResult = {
  skip: 'unreadable',
  hash: '',
  size: 0,
  language: null,
  saysGenerated: false,
  hint: null,
  document: -1,
  problem: null,
  symbolCount: 0,
  interfaceHash: 0,
};

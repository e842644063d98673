import type { RankedFile, Signal } from '../../../model/ranking.ts';
import type { RankingContext, Remembering } from '../ranking-context.ts';

/**
 * One reason why a file may matter for a task: how it scores the files, and what it tells people. `table.ts` has the
 * row and the weight of each signal. Scoring, `rank --json`, reasons, tuning and learning all read that table.
 */
export interface SignalDefinition {
  /** Unique; the name of its column of evidence. */
  readonly name: string;
  /** The entry of `signals` in `rank --json` that it adds to. */
  readonly group: Signal;
  /**
   * The evidence for each file, by file number. The largest value of a column becomes 1, unless `isShare` is set.
   * `strength` is how strong the other signals made each file; only signals about neighbours get it.
   */
  score(context: RankingContext, strength: Float64Array): Float64Array;
  /** Why the signal speaks for a file, as a person would say it; empty for nothing. Asked about returned files only. */
  reason(file: number, context: ReasonContext): string;

  /** It looks at the content: files with equal content get equal evidence. */
  readonly isAboutContent?: true;
  /** It is scored last, from the strength of the other files. */
  readonly isAboutNeighbours?: true;
  /** It means the file itself, so that even an empty file is worth returning. */
  readonly namesTheFile?: true;
  /** It does not depend on the task, and counts only where another signal speaks for the file. */
  readonly needsAnother?: true;
  /** Its evidence is between 0 and 1 already. */
  readonly isShare?: true;
  /** Where this other signal speaks for the file too, people get one reason for both: that of the other. */
  readonly toldAs?: string;
}

/** A signal with its weight: a row of the table. */
export interface RankingSignal extends SignalDefinition {
  /** What a file with full evidence gains. */
  readonly weight: number;
}

/** What a reason can be made of. */
export interface ReasonContext extends Remembering {
  readonly ranking: RankingContext;
  /** The files that are returned, best first. */
  readonly order: readonly number[];
  /** How strong each file is before its neighbours are asked. */
  readonly strength: Float64Array;
  /** Names of the definitions of a file that is returned. */
  readonly namesIn: (file: number) => readonly string[];
  /** Where to look in a file that is returned. */
  readonly placesIn: (file: number) => ReasonPlaces;
  /** Files that may be named. */
  readonly mayName: (path: string) => boolean;
  /** Applied before anything is cut. */
  readonly shown: ShownTexts;
}

/** The best definitions and lines of a file, best first, with names as they are shown. */
export type ReasonPlaces = Pick<RankedFile, 'symbols' | 'spans'>;

/** How texts of the repository are shown: names of files and definitions, and messages of commits. */
export interface ShownTexts {
  readonly name: (name: string) => string;
  readonly message: (text: string) => string;
}

/** A reason names at most this many things. */
export const MAX_NAMED = 3;
const MAX_NAME = 60;

/** `front thing behind`, or the other sentence when there is no thing to name. */
export function told(front: string, thing: string, otherwise: string, behind = ''): string {
  return thing === '' ? otherwise : `${front} ${thing} ${behind}`.trimEnd();
}

/** A name of the repository as a reason shows it: without secrets, on one line, not too long. */
export function shownName({ shown }: ReasonContext, name: string): string {
  return onOneLine(shown.name(name));
}

/** The names of the strongest finds in a file, with commas. */
export function strongestIn<Found extends FoundIn>(
  context: ReasonContext,
  found: readonly Found[],
  file: number,
  nameOf: (one: Found) => string,
): string {
  const twin = context.ranking.corpus.twinOf[file]!;
  return found
    .filter(({ files }) => files.has(twin))
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MAX_NAMED)
    .map((one) => shownName(context, nameOf(one)))
    .join(', ');
}

/** Something of the task that was found in files. */
interface FoundIn {
  readonly gain: number;
  /** How often each file has it. */
  readonly files: ReadonlyMap<number, number>;
}

/** Text of the repository on one line. */
export function onOneLine(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_NAME ? line : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

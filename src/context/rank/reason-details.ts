import type { EdgeList } from '../../model/file-links.ts';
import { WORD_FIELD } from '../../model/file-words.ts';
import { DOCUMENT, type IndexView } from '../../model/index-view.ts';
import type { StackFrame } from '../../model/task-analysis.ts';
import { wordParts } from '../../model/word-parts.ts';
import { FIELD_COUNT } from './corpus.ts';
import type { Gathered } from './evidence.ts';
import { frameStrength, functionName } from './path-signals.ts';
import { isBelow } from './scope-signals.ts';
import { BLOCK_LINES, bestTwo, PASSAGE_BLOCKS } from './score-passages.ts';
import { formWeight } from './word-forms.ts';

/** The things behind the evidence for a file, as a person would name them; empty when there is nothing to name. */
export interface ReasonDetails {
  words(file: number, field: keyof typeof WORD_FIELD | 'any'): string;
  passage(file: number): string;
  pathWords(file: number): string;
  frame(file: number): string;
  definition(file: number): string;
  mentioned(file: number): string;
  /** Names of the task that it has, whoever defines them. */
  uses(file: number): string;
  compounds(file: number): string;
  scopes(): string;
  /** The folder of the named domain that it lies in. */
  domainFolder(file: number): string;
  commit(file: number): string;
  /** The word of the task that led commits to its place. */
  leadingWord(file: number): string;
  user(file: number): string;
  used(file: number): string;
  test(file: number): string;
  neighbour(file: number): string;
}

interface ReasonSources {
  readonly gathered: Gathered;
  readonly frames: readonly StackFrame[];
  readonly places: readonly string[];
  /** How strong each file is before its neighbours are asked. */
  readonly strength: Float64Array;
  /** Names of the definitions of a file that is returned. */
  readonly namesIn: (file: number) => readonly string[];
  /** Files that may be named. */
  readonly mayName: (path: string) => boolean;
  /** Applied before anything is cut. */
  readonly shown: ShownTexts;
}

/** How texts of the repository are shown: of a file or a definition, and of a commit. */
export interface ShownTexts {
  readonly name: (name: string) => string;
  readonly message: (text: string) => string;
}

const MAX_NAMED = 3;
/** Terms that can be a reason; the rest of a long task says too little. */
const MAX_TERMS = 40;
const MAX_NAME = 60;

/** Looks the things up when they are asked for, for files that are returned. */
export function createReasonDetails(sources: ReasonSources, files: readonly number[]): ReasonDetails {
  const { gathered, frames, shown } = sources;
  const shortened = (text: string) => onOneLine(shown.name(text));
  const { corpus, mentioned, passages, commits } = gathered;
  const all = corpus.index.snapshot.files;
  const terms = [...gathered.terms].sort((a, b) => b.gain - a.gain || (a.part < b.part ? -1 : 1));
  const strongTerms = terms.slice(0, MAX_TERMS);
  const twin = (file: number) => corpus.twinOf[file]!;
  const lineCount = (file: number) => {
    const { segment, document } = all[file]!;
    return segment < 0 ? 0 : corpus.index.segment(segment).document(document, DOCUMENT.lineCount);
  };
  const found = once(() => termsByFile(strongTerms, new Set(files.map(twin))));
  const neighbours = once(() => createNeighbourNames(corpus.index, sources.strength, sources.mayName));

  return {
    words: (file, field) => quoted(strongestWords(found().get(twin(file)) ?? [], field)),
    passage: (file) => {
      const scores = passages.get(twin(file));
      return scores ? linesOf(bestTwo(scores).block, lineCount(file)) : '';
    },
    pathWords: (file) => {
      const words = all[file]!.path.split(/[^\p{L}\p{M}\p{N}_]+/u).flatMap(wordParts);
      const matching = strongTerms.filter(({ forms }) => words.some((word) => formWeight(forms, word) > 0));
      return quoted(matching.slice(0, MAX_NAMED).map(({ part }) => part));
    },
    frame: (file) => {
      const hit = frames.find(
        ({ path, line }) => line !== null && frameStrength(path, all[file]!.path) === 1,
      );
      if (hit) return `line ${hit.line}`;
      const names = new Set(
        frames.filter(({ path }) => path === '').map(({ symbol }) => functionName(symbol)),
      );
      const own =
        names.size === 0 ? [] : sources.namesIn(file).filter((name) => names.has(functionName(name)));
      return own.slice(0, MAX_NAMED).map(shortened).join(', ');
    },
    definition: (file) => shortened(bestDefinition(sources.namesIn(file), strongTerms)),
    mentioned: (file) => {
      const own = mentioned.filter(({ definers }) => definers.some((one) => one.file === twin(file)));
      const rarest = own.sort((a, b) => b.weight / b.definers.length - a.weight / a.definers.length);
      return rarest
        .slice(0, MAX_NAMED)
        .map(({ name }) => shortened(name))
        .join(', ');
    },
    uses: (file) => namesIn(gathered.uses, twin(file), ({ name }) => shortened(name)),
    compounds: (file) => namesIn(gathered.compounds, twin(file), ({ word }) => shortened(word)),
    domainFolder: (file) => {
      const folder = sources.places.find((one) => isBelow(all[file]!.path, one));
      return folder === undefined ? '' : shortened(folder);
    },
    scopes: () => quoted(gathered.scopes.map(({ name }) => shortened(name))),
    commit: (file) => {
      const best = commits.get(file)?.[0];
      return best ? `commit ${best.commit.slice(0, 7)}: ${onOneLine(shown.message(best.subject))}` : '';
    },
    leadingWord: (file) => {
      const word = gathered.leadingWords.get(file);
      return word === undefined ? '' : quoted([shortened(word)]);
    },
    user: (file) => shown.name(neighbours().user(file)),
    used: (file) => shown.name(neighbours().used(file)),
    test: (file) => shown.name(neighbours().test(file)),
    neighbour: (file) => shown.name(neighbours().beside(file)),
  };
}

interface FoundIn {
  readonly gain: number;
  readonly files: ReadonlyMap<number, number>;
}

function namesIn<Found extends FoundIn>(
  found: readonly Found[],
  file: number,
  nameOf: (one: Found) => string,
): string {
  return found
    .filter(({ files }) => files.has(file))
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MAX_NAMED)
    .map(nameOf)
    .join(', ');
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

interface FoundTerm {
  readonly part: string;
  readonly gain: number;
  readonly counts: Float32Array;
}

type Terms = Gathered['terms'];

function termsByFile(terms: Terms, wanted: ReadonlySet<number>): Map<number, FoundTerm[]> {
  const byFile = new Map<number, FoundTerm[]>();
  for (const { part, gain, hits } of terms)
    for (let at = 0; at < hits.files.length; at++) {
      const file = hits.files[at]!;
      if (!wanted.has(file)) continue;
      const counts = hits.counts.subarray(at * FIELD_COUNT, (at + 1) * FIELD_COUNT);
      const known = byFile.get(file);
      if (known) known.push({ part, gain, counts });
      else byFile.set(file, [{ part, gain, counts }]);
    }
  return byFile;
}

/** Rare words first, a little more so when they come often. */
function strongestWords(found: readonly FoundTerm[], field: keyof typeof WORD_FIELD | 'any'): string[] {
  return found
    .map(({ part, gain, counts }) => {
      const count = field === 'any' ? counts.reduce((sum, one) => sum + one, 0) : counts[WORD_FIELD[field]]!;
      return { part, worth: (gain * count) / (count + 1) };
    })
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || (a.part < b.part ? -1 : 1))
    .slice(0, MAX_NAMED)
    .map(({ part }) => part);
}

/** The definition whose name has most of the task's words. */
function bestDefinition(names: readonly string[], terms: Terms): string {
  const gains = new Map<string, number>();
  const gainOf = (part: string): number => {
    const known = gains.get(part);
    if (known !== undefined) return known;
    const gain = terms.reduce((most, term) => Math.max(most, term.gain * formWeight(term.forms, part)), 0);
    gains.set(part, gain);
    return gain;
  };
  let best = '';
  let most = 0;
  for (const name of names) {
    const parts = wordParts(name);
    const matched = parts.map(gainOf).filter((gain) => gain > 0);
    const sum = matched.reduce((total, gain) => total + gain, 0);
    const worth = sum * (matched.length / Math.max(1, parts.length));
    if (worth <= most) continue;
    most = worth;
    best = name;
  }
  return best;
}

function linesOf(block: number, lineCount: number): string {
  const first = Math.max(1, block * BLOCK_LINES);
  const last = Math.min(first + BLOCK_LINES * PASSAGE_BLOCKS - 1, Math.max(first, lineCount));
  return `lines ${first}-${last}`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(', ');
}

/** Text of the repository on one line. */
function onOneLine(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_NAME ? line : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

/** For a file: the strongest file that uses it, that it uses, that tests it, that lies beside it; empty if none. */
interface NeighbourNames {
  user(file: number): string;
  used(file: number): string;
  test(file: number): string;
  beside(file: number): string;
}

/** Only strong files are named: a weak one was no reason. */
const STRONG = 0.2;
const MAX_STRONG = 50;

function createNeighbourNames(
  { snapshot: { files }, links }: IndexView,
  strength: Float64Array,
  mayName: (path: string) => boolean,
): NeighbourNames {
  const least = STRONG * strength.reduce((most, value) => Math.max(most, value), 0);
  const strong = [...strength.keys()]
    .filter((file) => strength[file]! > 0 && strength[file]! >= least && mayName(files[file]!.path))
    .sort((a, b) => strength[b]! - strength[a]! || a - b);
  const isTest = (file: number) => files[file]!.classification.role === 'test';
  const sources = strong.filter((file) => !isTest(file)).slice(0, MAX_STRONG);
  const tests = strong.filter(isTest).slice(0, MAX_STRONG);
  const nameOf = (file: number | undefined) => (file === undefined ? '' : files[file]!.path);
  const others = (file: number) => sources.filter((one) => one !== file);
  return {
    user: (file) => nameOf(others(file).find((one) => leadsTo(links.definers, one, file))),
    used: (file) => nameOf(others(file).find((one) => leadsTo(links.definers, file, one))),
    test: (file) => nameOf(tests.find((one) => leadsTo(links.tests, one, file))),
    beside: (file) => {
      const folder = folderOf(files[file]!.path);
      return nameOf(others(file).find((one) => folderOf(files[one]!.path) === folder));
    },
  };
}

function leadsTo({ starts, targets }: EdgeList, from: number, to: number): boolean {
  return targets.subarray(starts[from], starts[from + 1]).includes(to);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

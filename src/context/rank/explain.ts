import type { RankedSymbol } from '../../model/ranking.ts';
import type { EvidenceColumns } from './fuse.ts';
import { EVIDENCE_WEIGHTS } from './ranking-weights.ts';
import type { ReasonDetails } from './reason-details.ts';

type Kind = keyof typeof EVIDENCE_WEIGHTS;

/** Looks that a person would call the same reason: under whose name they are told. */
const TOLD_AS: Readonly<Partial<Record<Kind, Kind>>> = {
  titleWords: 'words',
  secondPassage: 'passage',
  titlePath: 'pathWords',
  titleNames: 'names',
  oftenChanged: 'recentlyChanged',
};

const MOST_REASONS = 3;
const WORTH_SAYING = 0.1;

/** Why a file is where it is, strongest reason first. */
export function explain(
  columns: EvidenceColumns,
  file: number,
  symbols: readonly RankedSymbol[],
  details: ReasonDetails,
): readonly string[] {
  const reasons = strongestKinds(columns, file).map((kind) => wordingOf(kind, file, details));
  const top = symbols[0];
  return top ? [...reasons, `see ${top.name}, line ${top.startLine}`] : reasons;
}

function strongestKinds(columns: EvidenceColumns, file: number): Kind[] {
  const worths = new Map<Kind, number>();
  for (const name of Object.keys(EVIDENCE_WEIGHTS) as Kind[]) {
    const worth = EVIDENCE_WEIGHTS[name].weight * (columns[name]?.[file] ?? 0);
    const kind = toldAs(name, columns, file);
    worths.set(kind, (worths.get(kind) ?? 0) + worth);
  }
  return [...worths]
    .filter(([, worth]) => worth >= WORTH_SAYING)
    .sort(([a, worthA], [b, worthB]) => worthB - worthA || (a < b ? -1 : 1))
    .slice(0, MOST_REASONS)
    .map(([kind]) => kind);
}

/** Who defines a name also has it: the definition is what there is to say. */
function toldAs(name: Kind, { mentionedNames }: EvidenceColumns, file: number): Kind {
  if (name === 'mentionedUses' && (mentionedNames?.[file] ?? 0) > 0) return 'mentionedNames';
  return TOLD_AS[name] ?? name;
}

/** What a kind of evidence means to a person; with the thing itself where it can be named. */
function wordingOf(kind: Kind, file: number, details: ReasonDetails): string {
  switch (kind) {
    case 'definitionWords':
      return (
        told('defines names with', details.words(file, 'definition')) ?? 'defines names like the task’s words'
      );
    case 'commentWords':
      return told('its comments say', details.words(file, 'comment')) ?? 'its comments speak of the task';
    case 'stringWords':
      return told('its texts say', details.words(file, 'string')) ?? 'its texts have the task’s words';
    case 'passage':
      return told('much of the task is in', details.passage(file)) ?? 'one passage has much of the task';
    case 'meaning':
      return 'close to the task in meaning';
    case 'pathWords':
      return told('its path has', details.pathWords(file)) ?? 'its path has the task’s words';
    case 'mentionedPaths':
      return 'the task names this file';
    case 'frames':
      return told('the stack trace has its', details.frame(file)) ?? 'it is in the stack trace';
    case 'names':
      return named('defines', details.definition(file), ', named like the task');
    case 'mentionedNames':
      return named('defines', details.mentioned(file), ', which the task mentions');
    case 'mentionedUses':
      return named('has', details.uses(file), ', which the task mentions');
    case 'titleCompounds':
      return named('has', details.compounds(file), ', made of the title’s words');
    case 'scopePlaces':
      return (
        told('it is in', details.domainFolder(file), 'of the domain that was named') ??
        `it is at ${details.scopes()}, with which the task begins`
      );
    case 'pastScopes':
      return `changed by commits that begin with ${details.scopes()}`;
    case 'pastPlaces':
      return (
        told('commits that say', details.leadingWord(file), 'went there') ?? 'the task’s words led there'
      );
    case 'history':
      return told('changed by', details.commit(file)) ?? 'commits like this task changed it';
    case 'recentlyChanged':
      return 'it was changed lately';
    case 'usedByStrong':
      return told('used by', details.user(file)) ?? 'strong matches use it';
    case 'usesStrong':
      return told('uses', details.used(file)) ?? 'it uses strong matches';
    case 'testedByStrong':
      return told('covered by', details.test(file)) ?? 'tests that match the task cover it';
    case 'besideStrong':
      return told('beside', details.neighbour(file)) ?? 'strong matches lie beside it';
    default:
      return told('has', details.words(file, 'any')) ?? 'has many of the task’s words';
  }
}

function named(front: string, names: string, behind: string): string {
  return `${front} ${names || 'something'}${behind}`;
}

function told(front: string, thing: string, behind = ''): string | null {
  return thing === '' ? null : `${front} ${thing} ${behind}`.trimEnd();
}

import type { Measure } from '../fit/measure.ts';
import { type ChosenForm, fitCandidates } from '../pack/fit-candidates.ts';
import { type Candidate, formsOf } from '../pack/item-forms.ts';
import { offersFor } from '../pack/offers.ts';
import { fileBlock, itemSection, section } from './file-section.ts';
import type { Shown, SourcePart } from './prompt-section.ts';

/** A file that may go into a part, in whatever form there is room for. */
export interface PartCandidate {
  readonly key: string;
  readonly candidate: Candidate;
}

const HEADINGS: ReadonlyMap<string, string> = new Map([
  ['target_file', '## Target Files'],
  ['changed_files', '## Changed Files'],
  ['imports', '## Imports'],
  ['related', '## Related Files'],
  ['files', '## Files'],
]);
const RENDER = { format: 'markdown', lineNumbers: false } as const;

/** A part for each key. Its files are whole where they fit, else excerpts, signatures or names. */
export function fileParts(candidates: readonly PartCandidate[]): SourcePart[] {
  return [...HEADINGS].flatMap(([key, heading]): SourcePart[] => {
    const own = candidates.filter((one) => one.key === key).map(({ candidate }) => candidate);
    if (own.length === 0) return [];
    const blocks = own.map(({ source }) => fileBlock(source.path, source.text));
    const files = own.map(({ source: { path } }) => ({ path, form: 'full' as const }));
    return [
      {
        key,
        whole: { text: section(heading, blocks), files },
        shrink: (room, measure) => fitFiles(heading, own, room, measure),
      },
    ];
  });
}

/** Chooses files and their forms together, so that the section takes no more than the room. */
export function fitFiles(
  heading: string,
  list: readonly Candidate[],
  room: number,
  measure: Measure,
): Shown | null {
  if (list.length === 0 || room <= 0) return null;
  const offers = offersFor(list, 'value', room);
  const options = { render: RENDER, count: measure.count, limit: room };
  const priced = list.map((candidate, at) => ({
    candidate,
    forms: formsOf(candidate, { ...options, offer: offers[at]! }),
  }));
  const items = (chosen: readonly ChosenForm[]) => chosen.map(({ form }) => form.item);
  const textFor = (chosen: readonly ChosenForm[]) => itemSection(heading, items(chosen));
  const { chosen, text } = fitCandidates(priced, 'value', room, textFor, measure.count);
  if (chosen.length === 0) return null;
  return { text, files: items(chosen).map(({ path, form }) => ({ path, form })) };
}

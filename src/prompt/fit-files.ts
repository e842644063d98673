import type { Measure } from '../fit/measure.ts';
import type { ContextItem } from '../model/context-pack.ts';
import { type ChosenForm, fitCandidates } from '../pack/fit-candidates.ts';
import { type Candidate, formsOf } from '../pack/item-forms.ts';
import { offersFor } from '../pack/offers.ts';
import { itemSection } from './file-section.ts';
import type { PromptFile } from './prompt.ts';

/** A file that may go into a part, in whatever form there is room for. */
export interface PartCandidate {
  readonly key: string;
  readonly candidate: Candidate;
}

export interface FittedPart {
  readonly key: string;
  readonly text: string;
  readonly files: readonly PromptFile[];
}

const HEADINGS: ReadonlyMap<string, string> = new Map([
  ['target_file', '## Target Files'],
  ['changed_files', '## Changed Files'],
  ['imports', '## Imports'],
  ['related', '## Related Files'],
  ['files', '## Files'],
]);
const RENDER = { format: 'markdown', lineNumbers: false } as const;
const SEPARATOR = '\n\n';

/** Chooses files and forms for all parts together, so that the parts, joined, take no more than the room. */
export function fitFiles(candidates: readonly PartCandidate[], room: number, measure: Measure): FittedPart[] {
  if (candidates.length === 0 || room <= 0) return [];
  const list = candidates.map(({ candidate }) => candidate);
  const offers = offersFor(list, 'value', room);
  const options = { render: RENDER, count: measure.count, limit: room };
  const priced = list.map((candidate, at) => ({
    candidate,
    forms: formsOf(candidate, { ...options, offer: offers[at]! }),
  }));
  const keys = new Map(candidates.map(({ key, candidate }) => [candidate, key]));
  const textFor = (chosen: readonly ChosenForm[]) =>
    partsOf(chosen, keys)
      .map(({ text }) => text)
      .join(SEPARATOR);
  const { chosen } = fitCandidates(priced, 'value', room, textFor, measure.count);
  return partsOf(chosen, keys);
}

function partsOf(chosen: readonly ChosenForm[], keys: ReadonlyMap<Candidate, string>): FittedPart[] {
  const byKey = new Map<string, ContextItem[]>();
  for (const { candidate, form } of chosen) {
    const key = keys.get(candidate)!;
    byKey.set(key, [...(byKey.get(key) ?? []), form.item]);
  }
  return [...HEADINGS].flatMap(([key, heading]): FittedPart[] => {
    const items = byKey.get(key);
    if (!items) return [];
    const files = items.map(({ path, form }) => ({ path, form }));
    return [{ key, text: itemSection(heading, items), files }];
  });
}

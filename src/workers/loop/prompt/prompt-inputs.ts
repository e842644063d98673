import type { LoopPlace } from '../loop-place.ts';
import type { SelectedLeaf } from '../tree/select-leaf.ts';
import { summarizeTree } from '../tree/summarize-tree.ts';
import type { TreeNode } from '../tree/tree-node.ts';
import type { ContextPayload } from '../write-context.ts';

/** Everything that a prompt is made of; null where there is nothing to say. */
export interface PromptInputs {
  readonly paths: Pick<LoopPlace, 'tree' | 'assumptions' | 'questions' | 'context'>;
  readonly goal: string;
  readonly history: string | null;
  readonly failure: string | null;
  readonly selected: SelectedLeaf;
  readonly treeSummary: string;
  readonly assumptions: string | null;
  readonly questions: string | null;
  /** The context package for the node; null when it is switched off or says nothing. */
  readonly contextPackage: string | null;
  /** What was wrong with the answer before this one; it stands below the output contract. */
  readonly feedback?: string;
}

/** From the files of the loop and this iteration's context. The package comes later: it takes the room that is left. */
export function readPromptInputs(
  place: LoopPlace,
  tree: TreeNode,
  selected: SelectedLeaf,
  context: ContextPayload,
): PromptInputs {
  return {
    paths: place,
    goal: context.get('goal.md') ?? '',
    history: context.get('history.md') ?? null,
    failure: context.get('failure.md') ?? null,
    selected,
    treeSummary: summarizeTree(tree, selected.node.id),
    assumptions: notEmpty(place.readText(place.assumptions)),
    questions: notEmpty(place.readText(place.questions)),
    contextPackage: null,
  };
}

function notEmpty(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

// How likely a change for a task touches a definition, learned on changed lines of public commits and issues.

/** What is known about one definition, as the model sees it. */
export interface DefinitionEvidence {
  /** Place of its file in the ranking, from 0. */
  readonly fileRank: number;
  /** Score of its file as a share of the best file's. */
  readonly fileShare: number;
  /** How many definitions its file has. */
  readonly siblings: number;
  /** Words of the task that few definitions of its file have, as a share of the best definition of the file. */
  readonly rareShare: number;
  /** The share of the task's weight whose words it has in its code, and in its comments. */
  readonly codeCovered: number;
  readonly commentCovered: number;
  /** The mean weight that the words of its name have in the title. */
  readonly titleNameWeight: number;
  /** The share of the words of its name that the task has. */
  readonly nameCovered: number;
  /** How strongly the task mentions its very name, and that of a definition around it; 0 when it does not. */
  readonly mention: number;
  readonly containerMention: number;
  /** Its lines without those of long doc comments, and those. */
  readonly codeLines: number;
  readonly docLines: number;
}

/** Keeps logarithms of shares finite; a share below it says nothing more. */
const SMALLEST_SHARE = 0.02;

const logShare = (share: number): number => Math.log(share + SMALLEST_SHARE);

/** The numbers that the weights belong to, in their order. `bench/relevance/learn-definitions.mjs` learns from them. */
export function definitionFeatures(evidence: DefinitionEvidence): readonly number[] {
  return [
    Math.log1p(evidence.fileRank),
    logShare(evidence.fileShare),
    Math.log1p(evidence.siblings),
    logShare(evidence.rareShare),
    evidence.codeCovered,
    evidence.commentCovered,
    evidence.titleNameWeight,
    evidence.nameCovered,
    evidence.mention,
    evidence.containerMention,
    Math.log(evidence.codeLines),
    Math.log1p(evidence.docLines),
  ];
}

/** Logistic regression on the development sets; see docs/explanation/ranking.md for what it gives on other repositories. */
const BIAS = -2.75;
const WEIGHTS: readonly number[] = [
  -0.93, 4.41, -0.49, 1.17, 2.06, 0.74, 0.12, 0.81, 1.47, 0.92, 0.46, -0.21,
];

/** 0..1: how likely a change for this task touches the definition. */
export function likelihoodOf(evidence: DefinitionEvidence): number {
  const features = definitionFeatures(evidence);
  const sum = features.reduce((total, value, at) => total + value * WEIGHTS[at]!, BIAS);
  return 1 / (1 + Math.exp(-sum));
}

// How likely a change for a task touches a definition. The weights are learned on the lines that real changes touched.

/** What is known about one definition, as the model sees it. */
export interface DefinitionEvidence {
  /** Place of its file in the ranking, from 0. */
  readonly fileRank: number;
  /** Score of its file as a share of the best file's. */
  readonly fileShare: number;
  /** How many definitions its file has. */
  readonly siblings: number;
  /** Its text score as a share of the best definition of its file. */
  readonly shareOfFile: number;
  /** Its text score as a share of the best definition of the first files. */
  readonly shareOfAll: number;
  /** The share of the title's weight whose words it has. */
  readonly titleCovered: number;
  /** The share of the whole task's weight whose words it has. */
  readonly taskCovered: number;
  /** The mean weight that the words of its name have in the task, and in the title alone. */
  readonly nameWeight: number;
  readonly titleNameWeight: number;
  /** How strongly the task mentions its very name; 0 when it does not. */
  readonly mention: number;
  readonly lines: number;
  /** It only holds a value: a constant, a property, a key. */
  readonly isValue: boolean;
  /** It is a class, an interface or another container. */
  readonly isContainer: boolean;
  /** Its file is a test. */
  readonly isTest: boolean;
  /** It is no definition: lines between definitions. */
  readonly isOutside: boolean;
  /** It begins on the first line of its file: imports, a licence. */
  readonly isHead: boolean;
}

/** Keeps logarithms of shares finite; a share below it says nothing more. */
const SMALLEST_SHARE = 0.02;
/** One lucky definition far down the ranking must not count more than this. */
const MAX_SHARE = 1.5;

const logShare = (share: number): number => Math.log(Math.min(share, MAX_SHARE) + SMALLEST_SHARE);

/** The numbers that the weights belong to, in their order. `bench/relevance/learn-definitions.mjs` learns from them. */
export function definitionFeatures(evidence: DefinitionEvidence): readonly number[] {
  const lines = Math.log(evidence.lines);
  return [
    Math.log1p(evidence.fileRank),
    logShare(evidence.fileShare),
    logShare(evidence.shareOfFile),
    logShare(evidence.shareOfAll),
    evidence.titleCovered,
    evidence.taskCovered,
    evidence.nameWeight,
    evidence.titleNameWeight,
    evidence.mention,
    lines,
    lines ** 2,
    Number(evidence.isValue),
    Number(evidence.isContainer),
    Number(evidence.isTest),
    Math.log1p(evidence.siblings),
    Number(evidence.isOutside),
    Number(evidence.isHead),
  ];
}

/** Logistic regression on the development sets; see docs/explanation/ranking.md for what it gives on other repositories. */
const BIAS = -2.28;
const WEIGHTS: readonly number[] = [
  -0.85, 3.76, 0.34, 1.22, -0.69, 1.6, 0.25, -0.19, 1.49, 0.22, 0.05, 0.48, -0.59, -0.7, -0.42, -0.18, 0.5,
];

/** 0..1: how likely a change for this task touches the definition. */
export function likelihoodOf(evidence: DefinitionEvidence): number {
  const features = definitionFeatures(evidence);
  const sum = features.reduce((total, value, at) => total + value * WEIGHTS[at]!, BIAS);
  return 1 / (1 + Math.exp(-sum));
}

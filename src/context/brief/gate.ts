// The gate of a brief: how sure is the ranking, and is a brief worth its characters?
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import type { BriefPlace } from './places.ts';
import { readTalk } from './talk.ts';

/** How strict the gate is: `off` lets everything through. */
export type GateLevel = 'off' | 'normal' | 'strict';

/** What a prompt gets: code and locations, locations only, or nothing. */
export type GateVerdict = 'full' | 'short' | 'silent';

export interface GateDecision {
  /** 0..1: how likely a file that the work changes is among the shown places. */
  readonly confidence: number;
  readonly verdict: GateVerdict;
  /** In a few words, for logs and `--json`. */
  readonly reason: string;
}

/** What the gate decides from. */
export interface GateInput {
  readonly analysis: TaskAnalysis;
  /** Likeliest first. */
  readonly places: readonly BriefPlace[];
  /** The weight of the task's words that the repository has. */
  readonly knownWeight: number;
  /** Whether the repository has a file at this path. */
  readonly hasFile: (path: string) => boolean;
}

/** Below the first value the gate is silent; below the second it lets only locations through. */
const THRESHOLDS: Readonly<Record<Exclude<GateLevel, 'off'>, readonly [number, number]>> = {
  normal: [0.6, 0.75],
  strict: [0.8, 0.9],
};

/** Decides what a prompt gets. */
export function decideGate(input: GateInput, level: GateLevel): GateDecision {
  const confidence = Math.round(confidenceOf(input) * 1000) / 1000;
  const decide = (verdict: GateVerdict, reason: string) => ({ confidence, verdict, reason });
  if (input.places.length === 0) return { ...decide('silent', 'nothing matches the task'), confidence: 0 };
  if (level === 'off') return decide('full', 'the gate is off');
  if (namesLines(input)) return decide('silent', 'the prompt names the lines itself');
  const [silent, short] = THRESHOLDS[level];
  if (confidence < silent) return decide('silent', 'too vague, or not about the code');
  if (confidence < short) return decide('short', 'half sure: locations only');
  return decide('full', 'likely places were found');
}

/** A longer text names lines by the way, in a link or a quotation. */
const FEW_WORDS = 60;

/** Whether a short prompt already says `path:line` for a file of the repository. */
function namesLines({ analysis, hasFile }: GateInput): boolean {
  const words = analysis.words.reduce((sum, { count }) => sum + count, 0);
  return (
    words <= FEW_WORDS &&
    analysis.paths.some(({ path, kind, line }) => kind === 'path' && line !== null && hasFile(path))
  );
}

/** Further places are too unlikely to change anything. */
const COUNTED_PLACES = 10;
/** Keeps odds finite. */
const SMALLEST = 1e-6;

/** The numbers that the weights belong to, in their order. `bench/relevance/learn-gate.mjs` learns from them. */
export function gateFeatures({ analysis, places, knownWeight }: GateInput): readonly number[] {
  const missed = places
    .slice(0, COUNTED_PLACES)
    .reduce((chance, { likelihood }) => chance * (1 - likelihood), 1);
  const talk = readTalk(analysis.text);
  return [
    Math.log((1 - missed + SMALLEST) / (missed + SMALLEST)),
    Math.log1p(knownWeight),
    Number(places.slice(0, COUNTED_PLACES).some(({ isMentioned }) => isMentioned)),
    talk.share,
    Math.log1p(talk.content),
    Number(talk.isPersonal),
    Number(talk.isGeneral),
  ];
}

/** Logistic regression on real tasks of the development sets, and on prompts that need no code. */
const BIAS = -1.86;
const WEIGHTS: readonly number[] = [0.48, 1.33, 0.66, -4.29, 0.1, -1.45, -3.36];

function confidenceOf(input: GateInput): number {
  const sum = gateFeatures(input).reduce((total, value, at) => total + value * WEIGHTS[at]!, BIAS);
  return 1 / (1 + Math.exp(-sum));
}

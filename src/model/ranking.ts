// A ranking as data: files and definitions with their scores and reasons.

import type { Diagnostic } from './diagnostic.ts';
import type { TaskAnalysis } from './task-analysis.ts';

/** The groups of signals, as `rank --json` and `eval --tune` name them. */
export const SIGNALS = ['path', 'symbol', 'lexical', 'semantic', 'graph', 'history'] as const;

/** One group of reasons why a file may matter. */
export type Signal = (typeof SIGNALS)[number];

/** The groups about structure; the others are about text. */
export const STRUCTURAL_SIGNALS: ReadonlySet<Signal> = new Set(['path', 'symbol', 'graph', 'history']);

/** 1-based, inclusive. */
export interface LineSpan {
  readonly startLine: number;
  readonly endLine: number;
}

/** A definition that the task seems to need. */
export interface RankedSymbol extends LineSpan {
  /** With what encloses it: `Foo.bar`. */
  readonly name: string;
  /** 0..1 within its file. */
  readonly score: number;
  /** 0..1, comparable across files: how likely a change for the task touches it. */
  readonly likelihood: number;
  /** The task mentions its very name. */
  readonly isMentioned: boolean;
  /** Words of the task that it has, the most telling first. */
  readonly words: readonly string[];
}

/** Lines outside of all definitions that the task seems to need: imports, a table, statements of a script. */
export interface RankedBlock extends LineSpan {
  /** 0..1, comparable with definitions: how likely a change for the task touches it. */
  readonly likelihood: number;
  /** Words of the task that it has, the most telling first. */
  readonly words: readonly string[];
}

/** A file with its scores and the reasons for them. Scores are 0..1. */
export interface RankedFile {
  readonly path: string;
  /** `astWeight * astScore + semanticWeight * semanticScore`, the weights adding up to 1. */
  readonly combinedScore: number;
  readonly astScore: number;
  readonly semanticScore: number;
  readonly signals: Readonly<Record<Signal, number>>;
  /** Best first. */
  readonly symbols: readonly RankedSymbol[];
  /** Lines outside of definitions, likeliest first. */
  readonly blocks: readonly RankedBlock[];
  /** The lines that matter, best first; they do not overlap. */
  readonly spans: readonly LineSpan[];
  /** For people, strongest first. */
  readonly reasons: readonly string[];
}

/** The answer to a task: files in the order in which it needs them. */
export interface Ranking {
  readonly task: string;
  /** How the task was read. */
  readonly analysis: TaskAnalysis;
  /** Best first. */
  readonly files: readonly RankedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

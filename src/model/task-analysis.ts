/** `explain` is to read and report: nothing is to be changed. */
export const TASK_ACTIONS = [
  'implement',
  'fix',
  'review',
  'test',
  'refactor',
  'document',
  'explain',
] as const;

export type TaskAction = (typeof TASK_ACTIONS)[number];

/**
 * The part of the task that a word is in. Issue-template headings, version tables, check lists and greetings are
 * `boilerplate`; `code` is a fence or an indented block, `trace` a stack trace or a log.
 */
const TASK_ZONES = ['title', 'lead', 'prose', 'code', 'trace', 'boilerplate'] as const;

export type TaskZone = (typeof TASK_ZONES)[number];

/** A word as written, once per zone. */
export interface TaskWord {
  readonly word: string;
  readonly zone: TaskZone;
  readonly count: number;
  /** It stands between backticks, alone or with one or two others: there even `each` is a name. */
  readonly isCode?: true;
}

/** A file or module that the task names. */
export interface PathMention {
  /** With `/`, without `./`, a host or a line number; a dotted module stays dotted (`a.b.c`). */
  readonly path: string;
  readonly kind: 'path' | 'module' | 'url';
  /**
   * How the line names it: in a sentence or alone, in a stack trace or a log, as what a program imports, or in a list of
   * extensions and the like.
   */
  readonly manner: 'text' | 'trace' | 'import' | 'list';
  /** 1-based; null when none was given. */
  readonly line: number | null;
  readonly zone: TaskZone;
}

/** A name that looks like a definition of the repository. */
export interface SymbolMention {
  /** The last segment: `bar` of `Foo.bar()`. */
  readonly name: string;
  /** The segments before it: `['Foo']`. */
  readonly qualifiers: readonly string[];
  /** How sure the way it is written makes us that it is a name, strongest first. */
  readonly form: 'backtick' | 'call' | 'qualified' | 'compound' | 'capitalized';
  readonly zone: TaskZone;
  readonly count: number;
}

/** One line of a stack trace. */
export interface StackFrame {
  /** As printed, with `/`; may be absolute on the machine that crashed. Empty when the trace names functions only. */
  readonly path: string;
  readonly line: number | null;
  readonly symbol: string | null;
  /** 0 is where the error was thrown, whatever order the language prints. */
  readonly depth: number;
}

export interface QuotedText {
  readonly text: string;
  /** It reads like the message of an error. */
  readonly isError: boolean;
}

export interface CodeFence {
  /** The label after the fence, lower case; empty if none. */
  readonly language: string;
  readonly text: string;
}

export interface Keyword {
  /** Lower case. */
  readonly word: string;
  /** 0..1. */
  readonly weight: number;
}

/** The content of a task text by itself: nothing in here was looked up in a repository. */
export interface TaskAnalysis {
  readonly text: string;
  /** The first line that says something, without Markdown marks. */
  readonly title: string;
  readonly paths: readonly PathMention[];
  readonly symbols: readonly SymbolMention[];
  readonly frames: readonly StackFrame[];
  readonly quotes: readonly QuotedText[];
  readonly fences: readonly CodeFence[];
  readonly words: readonly TaskWord[];
  readonly keywords: readonly Keyword[];
  /** Null when the text does not say. */
  readonly action: TaskAction | null;
  /** 0..1: how much the task is about tests, documentation, examples. */
  readonly about: { readonly tests: number; readonly docs: number; readonly examples: number };
  /** From path prefixes of the configured map and of the repository's own packages, best first. */
  readonly domains: readonly string[];
  /** Path prefixes of the domain that the caller named: the task means the files below them. */
  readonly places: readonly string[];
}

// A context package as data: `pack` returns it, renders it and accounts for it. The marks at the end of this file let a
// package be found again inside a longer text.

import type { Diagnostic } from './diagnostic.ts';

/** How much of a file is in a package, most first. */
export const ITEM_FORMS = ['full', 'excerpt', 'signatures', 'mention'] as const;

export type ItemForm = (typeof ITEM_FORMS)[number];

/** The reason that a file is in a package: structure, text, both, or a request of the caller. */
export type ItemSource = 'ast' | 'semantic' | 'both' | 'target' | 'always';

/** Lines of a file, 1-based and inclusive. */
export interface LineSpan {
  readonly startLine: number;
  readonly endLine: number;
}

/** A stretch of an item's content: `count` lines that in the file begin at `startLine`, or lines of our own (null). */
export interface LineRun {
  readonly startLine: number | null;
  readonly count: number;
}

/** One file of a package. */
export interface ContextItem {
  readonly path: string;
  readonly form: ItemForm;
  /** The tokens of this item in the rendered text, its frame included. */
  readonly tokens: number;
  /** Scores are 0..1. */
  readonly combinedScore: number;
  readonly astScore: number;
  readonly semanticScore: number;
  readonly source: ItemSource;
  /** Definitions that matter, `Foo.bar`, best first. */
  readonly symbols: readonly string[];
  /** Where in the file they are. */
  readonly spans: readonly LineSpan[];
  /** The text without secrets. Receipts name the parts that are left out. Empty for a mention. */
  readonly content: string;
  /** Where the lines of `content` come from; empty when they are not lines of the file, as with signatures. */
  readonly lineRuns: readonly LineRun[];
  /** Label of the code fence: the language's id, or empty. */
  readonly language: string;
  /** Why it is in, for people. */
  readonly reason: string;
}

/** `from` needs `to`. */
export interface Dependency {
  readonly from: string;
  readonly to: string;
  /** `to` is a package outside of the repository. */
  readonly external?: true;
}

/** A file that looked relevant and is not in. */
export interface OmittedItem {
  readonly path: string;
  readonly reason: string;
  readonly combinedScore: number;
  /** The cheapest useful form and its cost; null when that was never computed. */
  readonly cost: { readonly form: ItemForm; readonly tokens: number } | null;
}

/** A command of the repository's own, and the file that says so. */
export interface RepositoryCommand {
  readonly purpose: 'install' | 'build' | 'test' | 'lint' | 'format' | 'types' | 'run';
  readonly command: string;
  readonly path: string;
}

/** How to build and test here. */
export interface PackEnvironment {
  readonly commands: readonly RepositoryCommand[];
}

/** Rules of the repository for its contributors: AGENTS.md, CONTRIBUTING and the like. */
export interface Convention {
  readonly path: string;
  readonly text: string;
  /** Only a part is here: whole rules, those that help most with a change. */
  readonly cut: boolean;
}

/** Something that files of the package call and that is defined in a file outside of it. */
export interface ExternalSignature {
  readonly path: string;
  readonly name: string;
  readonly signature: string;
  readonly line: number;
  readonly language: string;
}

/** One decision, also about parts that are not files of their own. */
export interface Receipt {
  readonly part:
    | 'file'
    | 'convention'
    | 'environment'
    | 'externals'
    | 'dependencies'
    | 'tree'
    | 'diff'
    | 'frame';
  /** Path of the file, or empty. */
  readonly path: string;
  /** Null when it is not in. */
  readonly form: ItemForm | null;
  /** The tokens that it costs, or would have cost. */
  readonly tokens: number;
  /** Null for parts that are not ranked. */
  readonly combinedScore: number | null;
  readonly why: string;
}

/** A context package: everything an agent needs to start on one task, inside one budget. */
export interface ContextPack {
  /** Hash of the content. */
  readonly id: string;
  readonly task: string;
  readonly role: string | null;
  readonly targets: readonly string[];
  readonly tokenBudget: number;
  /** Tokens of the rendered text in the chosen format. */
  readonly tokenCount: number;
  readonly encoding: string;
  /** Present when the text shows the files best first, after a table of contents; else it shows them by path. */
  readonly order?: 'relevance';
  /** What the user wants a reader to do with it, in the user's words. */
  readonly instructions?: string;
  /** Best first. */
  readonly items: readonly ContextItem[];
  readonly dependencies: readonly Dependency[];
  readonly omitted: readonly OmittedItem[];
  readonly environment: PackEnvironment;
  readonly conventions: readonly Convention[];
  readonly externals: readonly ExternalSignature[];
  /** The outline of the folders as text, or empty. */
  readonly tree: string;
  /** The change under review, or empty. */
  readonly diff: string;
  readonly receipts: readonly Receipt[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The marks around a package inside a longer text, so that it can be found and replaced. */
export const MARK_START = '<context-pack source="loadout">';
export const MARK_END = '</context-pack>';

const ANY_MARK = /<(?=\/?context-pack)/gi;

/** Text between the marks. A mark inside the text gets another bracket, so that it cannot end the section early. */
export function markPack(text: string): string {
  return `${MARK_START}\n${text.replace(ANY_MARK, '‹')}\n${MARK_END}`;
}

/** A text without the marked sections at its end. */
export function stripMarked(text: string): string {
  let rest = text;
  while (rest.endsWith(MARK_END)) {
    const start = rest.lastIndexOf(MARK_START);
    if (start === -1) break;
    rest = rest.slice(0, start).trimEnd();
  }
  return rest;
}

import { basename, join } from 'node:path/posix';
import { readJson } from '../../../model/read-json.ts';

/** A test, as precisely as the caller knows it. */
export interface TestCase {
  /** The test file, from the root of the repository. */
  readonly path: string;
  /** The case in it: the name of a function or method, or the title of `it('...')`. */
  readonly name?: string | undefined;
  /** The class or suite around the case. */
  readonly container?: string | undefined;
  /** The first line of the case, from 1. */
  readonly line?: number | undefined;
}

/** The sources of a command: the list of files, and their redacted text. A set of paths fits `files`. */
export interface RepositoryTexts {
  readonly files: { has(path: string): boolean };
  read(path: string): string | null;
}

/** Larger texts are data or an attack; no manifest is that large. */
const MAX_TEXT = 256 * 1024;

/** A test and the repository around it, for the functions that each know one kind of runner. */
export class TestLookup {
  readonly path: string;
  readonly name: string | null;
  readonly container: string | null;
  readonly line: string | null;
  /** The folders around the test file, the nearest first, the root (`''`) last. */
  readonly folders: readonly string[];
  /** The name of the file without its extensions. */
  readonly stem: string;
  readonly #repository: RepositoryTexts;

  constructor({ path, name, container, line }: TestCase, repository: RepositoryTexts) {
    this.path = path;
    this.name = name?.trim() || null;
    this.container = container?.trim() || null;
    this.line = line !== undefined && Number.isSafeInteger(line) && line > 0 ? String(line) : null;
    const parts = path.split('/').slice(0, -1);
    this.folders = [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), ''];
    this.stem = basename(path).split('.')[0]!;
    this.#repository = repository;
  }

  /** One of the files is in the folder. */
  has(folder: string, ...files: readonly string[]): boolean {
    return files.some((file) => this.#repository.files.has(join(folder, file)));
  }

  /** The text of a file; empty when it is missing or too large. */
  text(folder: string, file: string): string {
    const text = this.has(folder, file) ? this.#repository.read(join(folder, file)) : null;
    return text === null || text.length > MAX_TEXT ? '' : text;
  }

  /** The text of the test file. */
  get source(): string {
    return this.text('', this.path);
  }

  /** The nearest folder around the test that has one of the files. */
  nearest(...files: readonly string[]): string | undefined {
    return this.folders.find((folder) => this.has(folder, ...files));
  }

  /** The folders around one of them, the nearest first. */
  above(folder: string): readonly string[] {
    return this.folders.slice(this.folders.indexOf(folder) + 1);
  }

  /** The path of the test file as seen from a folder around it. */
  from(folder: string): string {
    return fromFolder(folder, this.path);
  }
}

export function fromFolder(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** Letters, digits and a few marks. None of them means anything to a shell inside double quotes. */
const PLAIN_WORD = /^[\p{L}\p{N}._@+:/#][\p{L}\p{N}._@+:/# -]{0,399}$/u;
/** Letters that look like a space: they hide where a word ends. */
const BLANK_LETTERS = /[\u115F\u1160\u3164\uFFA0]/;
const NEEDS_NO_QUOTES = /^[A-Za-z0-9._@+:/][A-Za-z0-9._@+:/#-]*$/;

/** A command with words from the repository, quoted for a POSIX shell; null when a word is missing or not plain. */
export function shell(parts: TemplateStringsArray, ...words: readonly (string | null)[]): string | null {
  let command = parts[0]!;
  for (const [index, word] of words.entries()) {
    if (word === null || !PLAIN_WORD.test(word) || BLANK_LETTERS.test(word)) return null;
    command += (NEEDS_NO_QUOTES.test(word) ? word : `"${word}"`) + parts[index + 1]!;
  }
  return command;
}

/** Two parts of a command; null when one of them is. */
export function both(start: string | null, rest: string | null): string | null {
  return start === null || rest === null ? null : start + rest;
}

/** A command that has to start in a folder of the repository. */
export function inFolder(folder: string, command: string | null): string | null {
  return folder === '' ? command : both(shell`cd ${folder} && `, command);
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** A JSON object without a prototype: a key such as `constructor` is found only where the file has it. */
export function asRecord(value: unknown): JsonRecord {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.assign(Object.create(null), isObject ? value : {});
}

export function jsonRecord(text: string): JsonRecord {
  const reading = readJson(text);
  return asRecord(reading.kind === 'json' ? reading.value : null);
}

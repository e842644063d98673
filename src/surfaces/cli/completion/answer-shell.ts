/**
 * `loadout complete SHELL -- WORDS`: the question that a completion script asks at every press of the Tab key. The answer
 * comes quickly, reads names only, and an error gives an empty answer, because a prompt must not show messages.
 *
 * The answer is `none`, `files` or `folders`, and then a value and its help for each candidate. NUL ends each part,
 * because no name can contain it. The answer contains no shell code.
 */

import { jsonOrNull } from '../../../model/read-json.ts';
import type { CliCommand, CliIo } from '../command.ts';
import { COMMAND_GROUPS, COMMANDS } from '../command-list.ts';
import type { Candidate, Completion, CompletionSources } from './complete-words.ts';
import { fishWord, quoteForBash, splitLine } from './shell-words.ts';

/** More candidates do not help, and a hostile folder may hold millions. */
const MAX_CANDIDATES = 500;
const MAX_LENGTH = 300;
/** A prompt that hangs is worse than one without candidates, so a slow disk or network gets no more time. */
const MAX_WAIT_MS = 2_000;
/** Control characters, hidden characters and half characters. A line end is quoted by every shell. */
const UNPRINTABLE = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

/** Answers one request. It ends in time, never throws and never writes to stderr. */
export async function answerShell(
  argv: readonly string[],
  io: CliIo,
  maxWaitMs = MAX_WAIT_MS,
): Promise<void> {
  const timer = setTimeout(() => io.forceExit(0), maxWaitMs);
  try {
    const [name = '', dashes, ...given] = argv;
    const shell = dashes === '--' && Object.hasOwn(SHELLS, name) ? SHELLS[name as Shell] : null;
    if (shell === null) return;
    const { words, write } = shell(given);
    const { completeWords } = await import('./complete-words.ts');
    const { paths, candidates } = await completeWords(words, sourcesOf(io));
    const safe = candidates.filter(({ value }) => isSafe(value)).slice(0, MAX_CANDIDATES);
    io.stdout.write(write({ paths, candidates: safe }));
  } catch {
    // An empty list of candidates is a valid answer.
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a name can be put on a command line, and shown, without harm. */
function isSafe(value: string): boolean {
  return value !== '' && value.length <= MAX_LENGTH && !UNPRINTABLE.test(value);
}

/** The words of a question, and how its answer is written. */
interface Question {
  readonly words: readonly string[];
  readonly write: (completion: Completion) => string;
}

/** The request and the reply format of each shell. */
const SHELLS = {
  /** The line up to the cursor, and the end of it that bash is going to replace. */
  bash: ([line = '', replaced = '']: readonly string[]): Question => {
    const { words, last } = splitLine(line);
    const quoted = ({ value, help }: Candidate) => {
      const reply = quoteForBash(value, last, replaced);
      return reply === null ? [] : [{ value: reply, help }];
    };
    const write = ({ paths, candidates }: Completion) =>
      writeRecords({ paths, candidates: candidates.flatMap(quoted) });
    return { words: words.slice(1), write };
  },
  /** Words without quotes: zsh removes and adds them itself. */
  zsh: (words: readonly string[]): Question => ({ words, write: writeRecords }),
  /** Words without quotes, but the last one as it was typed. */
  fish: (words: readonly string[]): Question => ({
    words: [...words.slice(0, -1), fishWord(words.at(-1) ?? '')],
    // fish takes one candidate from each line.
    write: ({ paths, candidates }) =>
      writeRecords({ paths, candidates: candidates.filter(({ value }) => !value.includes('\n')) }),
  }),
  /** Older versions lose quotes and empty words on the way to a program, so the words come as JSON in base64. */
  powershell: ([encoded = '']: readonly string[]): Question => {
    const words = jsonOrNull(Buffer.from(encoded, 'base64').toString('utf8'));
    const isList = Array.isArray(words) && words.every((word) => typeof word === 'string');
    return { words: isList ? words : [], write: writeAscii };
  },
};

type Shell = keyof typeof SHELLS;

function writeRecords({ paths, candidates }: Completion): string {
  const records = [paths, ...candidates.flatMap(({ value, help }) => [value, help.replace(/\s+/g, ' ')])];
  return records.map((text) => `${text}\0`).join('');
}

/** JSON in ASCII, because the encoding between PowerShell and a program depends on the machine. */
function writeAscii(completion: Completion): string {
  const json = JSON.stringify(completion);
  return `${json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

function sourcesOf(io: CliIo): CompletionSources {
  return {
    names: COMMAND_GROUPS.flatMap(({ names }) => names),
    load: async (name): Promise<CliCommand | null> => (await COMMANDS.get(name)?.()) ?? null,
    list: async (source, repo) => (await listNames(source, repo, io)).filter((name) => !name.startsWith('-')),
  };
}

/** Names of the repository and the user. Nothing is scanned, copied or fetched. */
async function listNames(
  source: Parameters<CompletionSources['list']>[0],
  repo: string,
  io: CliIo,
): Promise<readonly string[]> {
  const { openRepositoryRoot, openSettings } = await import('../../shared/open-settings.ts');
  const root = openRepositoryRoot(io, { repo });
  switch (source) {
    case 'roles': {
      const { openRoles } = await import('../../../context/roles/open-roles.ts');
      return (await openRoles({ repo: root, environment: io.env })).names();
    }
    case 'runs': {
      const { RUN_ID, RUNS_FOLDER } = await import('../../../workers/run-log.ts');
      const names = (root.list(RUNS_FOLDER) ?? []).map(({ name }) => name);
      // Newest first: the name begins with the time.
      return names.filter((name) => RUN_ID.test(name)).reverse();
    }
    case 'domains': {
      const { settings } = await openSettings(io, { config: '' }, {}, root);
      return [...new Set(Object.values(settings.domains))].sort();
    }
    case 'stores': {
      const { settings } = await openSettings(io, { config: '' }, {}, root);
      return Object.keys(settings.stores).sort();
    }
  }
}

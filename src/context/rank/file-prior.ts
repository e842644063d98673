import { CLIENTS } from '../../agents/table.ts';
import type { FileRole } from '../../model/file-entry.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';

/** What is left of a file's score when the task is not about files of its role. */
const BY_ROLE: Readonly<Record<FileRole, number>> = {
  source: 1,
  test: 0.15,
  docs: 0.15,
  config: 0.25,
  data: 0.15,
  example: 0.2,
  other: 0.4,
};
const GENERATED = 0.8;
const VENDORED = 0.5;

const AGENT_SET_UP = 0.3;
/** Where coding agents and this tool keep their own set-up. */
const SET_UP_FOLDERS = [
  '.loadout',
  '.windsurf',
  ...CLIENTS.flatMap(({ settingsFolder }) => settingsFolder ?? []),
];
/** The same as an expression, with the word that a task calls the set-up by. */
const SET_UP_PATH = new RegExp(
  `^\\.(${SET_UP_FOLDERS.map((folder) => folder.slice(1)).join('|')})/|^\\.(mcp)\\.json$`,
);

/** Files that are rarely what a task needs count less, unless the task is about them. */
export function filePrior(
  { classification, path }: SnapshotFile,
  { about, words }: Pick<TaskAnalysis, 'about' | 'words'>,
): number {
  const { role, generated, vendored } = classification;
  const share = generated ? GENERATED : vendored ? VENDORED : 1;
  return towardsOne(BY_ROLE[role], aboutRole(role, about)) * share * setUpShare(path, words);
}

function setUpShare(path: string, words: TaskAnalysis['words']): number {
  const found = SET_UP_PATH.exec(path);
  if (!found) return 1;
  const name = found[1] ?? found[2];
  return words.some(({ word }) => word.toLowerCase() === name) ? 1 : AGENT_SET_UP;
}

function aboutRole(role: FileRole, about: TaskAnalysis['about']): number {
  if (role === 'test') return about.tests;
  if (role === 'docs') return about.docs;
  return role === 'example' ? about.examples : 0;
}

function towardsOne(prior: number, about: number): number {
  return prior + (1 - prior) * about;
}

import type { FileRole } from '../model/file-entry.ts';
import type { SnapshotFile } from '../model/snapshot.ts';
import type { TaskAnalysis } from '../model/task-analysis.ts';

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

/** Files that are rarely what a task needs count less, unless the task is about them. */
export function filePrior({ classification }: SnapshotFile, { about }: Pick<TaskAnalysis, 'about'>): number {
  const { role, generated, vendored } = classification;
  const share = generated ? GENERATED : vendored ? VENDORED : 1;
  return towardsOne(BY_ROLE[role], aboutRole(role, about)) * share;
}

function aboutRole(role: FileRole, about: TaskAnalysis['about']): number {
  if (role === 'test') return about.tests;
  if (role === 'docs') return about.docs;
  return role === 'example' ? about.examples : 0;
}

function towardsOne(prior: number, about: number): number {
  return prior + (1 - prior) * about;
}

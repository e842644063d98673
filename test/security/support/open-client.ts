import { type GitClient, openGit } from '../../../src/platform/git/git.ts';

export async function openClient(directory: string): Promise<GitClient> {
  const opening = await openGit(directory);
  if (opening.kind !== 'git') throw new Error(`${opening.reason}: ${opening.detail}`);
  return opening.client;
}

import { type GitDoor, openGit } from '../../../src/platform/git/git.ts';

export async function openDoor(directory: string): Promise<GitDoor> {
  const opening = await openGit(directory);
  if (opening.kind !== 'git') throw new Error(`${opening.reason}: ${opening.detail}`);
  return opening.door;
}

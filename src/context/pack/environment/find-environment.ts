import type { PackEnvironment, RepositoryCommand } from '../../../model/context-pack.ts';
import type { CountTokens } from '../../fit/count-tokens.ts';
import { readKnownTools } from './known-tools.ts';
import { readMakeTargets } from './make-targets.ts';
import type { Manifests, Purpose } from './manifests.ts';
import { readPackageScripts } from './package-scripts.ts';
import { readWorkflowCommands } from './workflow-commands.ts';

/** What somebody who changes code needs first. */
const ORDER: readonly Purpose[] = ['test', 'build', 'install', 'lint', 'types', 'format', 'run'];
/** What one command costs beside its own text. */
const FRAME = 8;

/** How to build and test here, as the repository's own files say; nothing is run. */
export async function findEnvironment(
  manifests: Manifests,
  room: number,
  count: CountTokens,
): Promise<PackEnvironment> {
  const found = [readPackageScripts, readMakeTargets, readKnownTools];
  const commands = (await Promise.all(found.map((read) => read(manifests)))).flat();
  if (!commands.some(({ purpose }) => purpose === 'test'))
    commands.push(...(await readWorkflowCommands(manifests)));
  const kept: RepositoryCommand[] = [];
  let left = room;
  for (const purpose of ORDER) {
    // who lists scripts says best what is meant; but tests of a second language are in a second manifest
    const meant = commands.filter((one) => one.purpose === purpose).slice(0, purpose === 'test' ? 2 : 1);
    for (const command of meant) {
      const cost = count(`${command.command} ${command.path}`) + FRAME;
      if (cost > left) continue;
      left -= cost;
      kept.push(command);
    }
  }
  return { commands: kept };
}

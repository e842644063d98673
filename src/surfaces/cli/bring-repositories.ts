import { LoadoutError } from '../../model/loadout-error.ts';
import { repositorySource } from '../../platform/git/repository-source.ts';
import type { ParsedCall } from './build-program.ts';
import type { CliIo } from './cli-io.ts';
import type { GlobalFlags } from './command.ts';
import type { Output } from './output.ts';

/** The same flags with every repository a folder of this machine: addresses and bare ones are copied first. */
export async function bringRepositories(
  { command, global, settingFlags }: ParsedCall,
  io: CliIo,
  output: Output,
  signal: AbortSignal,
): Promise<GlobalFlags> {
  const { repos } = global;
  if (repos.length > 1 && command.takesSeveralRepositories !== true)
    throw new LoadoutError('bad-flag', `"loadout ${command.name}" works on one repository`, {
      subject: '--repo',
      hint: `run it once for each of ${repos.join(', ')}`,
    });
  const sources = repos.map((repo) => repositorySource(repo, io.cwd));
  if (sources.every((source) => source === null)) return global;
  const { openSettings } = await import('./open-settings.ts');
  const { openRemoteRepository } = await import('../../platform/git/remote-repository.ts');
  const { settings } = await openSettings(io, global, settingFlags, null);
  const folders: string[] = [];
  for (const [at, source] of sources.entries()) {
    if (source === null) {
      folders.push(repos[at]!);
      continue;
    }
    output.progress.update({ label: 'bringing the repository here', done: 0, total: 0 });
    const folder = `${settings.cacheDir}/copies`;
    const { path, diagnostics } = await openRemoteRepository(source, { folder, env: io.env, signal });
    output.diagnostics(diagnostics);
    folders.push(path);
  }
  output.progress.clear();
  return { ...global, repo: folders[0] ?? '', repos: folders };
}

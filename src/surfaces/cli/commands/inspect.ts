/** `loadout inspect`: a page on this machine that shows what an agent gets for a task, and why. */

import { homedir } from 'node:os';
import { integerKind, type LoadedSettings, type Settings } from '../../../config/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import { isInsideRoot, withSlashes } from '../../../platform/fs/path-codec.ts';
import { readVersion } from '../../shared/program-identity.ts';
import { type CliCommand, type CommandCall, choiceFlag, numberFlag } from '../command.ts';
import { containPaths, outputPath } from '../named-files.ts';
import { printable } from '../views/output.ts';

const MAX_PORT = 65_535;

/** The views of the page. The page is loaded only when it is shown, so its list is repeated here. */
const VIEWS = ['package', 'why', 'repository', 'sessions', 'runs'] as const;
/** The views that are about a task. */
const TASK_VIEWS: readonly string[] = ['package', 'why'];

/** Settings that change what a package holds. */
const SHARED = ['include', 'exclude', 'minRelevance', 'maxFileBytes', 'historyLimit'] as const;

/** The flags of this call that `loadout pack` needs for the same package. */
function flagsOf(
  { io, repository }: CommandCall,
  settings: Settings,
  provenance: LoadedSettings['provenance'],
): string[] {
  const { path } = repository();
  const given = SHARED.filter((name) => provenance[name].source === 'flag');
  return [
    ...(isInsideRoot(path, withSlashes(io.cwd)) ? [] : ['--repo', path]),
    ...given.flatMap((name) => [provenance[name].where, ...[settings[name]].flat().map(String)]),
  ];
}

export const inspect: CliCommand = {
  name: 'inspect',
  summary: 'Open a page on this machine that shows what an agent gets for a task, and why.',
  arguments: [{ syntax: '[TASK]', help: 'The task to start with; the page can change it.' }],
  groups: [{ title: 'Page', flags: ['--view', '--file', '--port', '--static'] }],
  settings: ['include', 'exclude', 'minRelevance', 'maxFileBytes', 'historyLimit', 'cacheDir'],
  flags: [
    { syntax: '--port <PORT>', help: 'Port to listen on; 0 takes a free one. (default: 0)' },
    { syntax: `--view <${VIEWS.join('|')}>`, help: 'The view to begin with. (default: package)' },
    {
      syntax: '--file <PATH>',
      help: 'The file to begin with: its lines in the view package, its reasons in the view why.',
    },
    {
      syntax: '--static <FILE>',
      help: 'Write the view into one file that opens offline, without secrets. The page can save what it shows, too.',
    },
  ],
  examples: [
    { line: 'loadout inspect "Fix the token refresh race"', does: 'print the address of the page' },
    { line: 'loadout inspect "Add retries" --static package.html', does: 'one file, for a pull request' },
    {
      line: 'loadout inspect "Add retries" --view why --file src/api.ts --static why.html',
      does: 'say why a file is in or out',
    },
    { line: 'loadout inspect --view runs', does: 'watch runs and the loop' },
  ],
  run: async (call) => {
    const { io, signal } = call;
    const port = numberFlag(call, 'port', integerKind({ min: 0, max: MAX_PORT })) ?? 0;
    const task = (call.arguments[0] ?? '').trim();
    const file = call.flags.static;
    const view = choiceFlag(call, 'view', VIEWS) ?? 'package';
    if (typeof file === 'string' && task === '' && TASK_VIEWS.includes(view))
      throw new LoadoutError('empty-task', `the view ${view} needs a task`, {
        hint: 'give it as an argument: loadout inspect "Add retries" --static package.html',
      });
    if (call.flags.file !== undefined && !TASK_VIEWS.includes(view))
      throw new LoadoutError('bad-flag', `--file does not go with the view ${view}`, {
        subject: '--file',
        hint: `it goes with ${TASK_VIEWS.join(' and ')}`,
      });
    const root = call.repository();
    const { settings, provenance } = await call.settings();
    const home = io.env.HOME || io.env.USERPROFILE || homedir();
    const options = {
      ...{ repo: root.path, root, settings, environment: io.env, home, task, view, signal },
      file: typeof call.flags.file === 'string' ? containPaths(root, [call.flags.file], io.cwd)[0]! : '',
      flags: flagsOf(call, settings, provenance),
      userDirectory: configDirectory(io.env),
      version: readVersion(),
      log: (line: string) => void io.stderr.write(`loadout: ${printable(line)}\n`),
    };
    const { inspectAsFile, runInspector } = await import('../../inspect/index.ts');
    if (typeof file === 'string') {
      const { writeFileAtomic } = await import('../../../platform/fs/atomic-file.ts');
      const path = outputPath([root], file, io.cwd);
      writeFileAtomic(path, await inspectAsFile(options));
      if (call.global.json) call.output.json({ file: path });
      else call.output.line(`wrote ${printable(path)}`);
      return 0;
    }
    await runInspector({
      ...options,
      port,
      // The address holds the token of this run, so it is written as it is.
      onReady: (address) =>
        void io.stdout.write(
          call.global.json ? `${JSON.stringify({ address, pid: process.pid })}\n` : `${address}\n`,
        ),
    });
    return 0;
  },
};

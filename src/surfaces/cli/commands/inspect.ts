/** `loadout inspect`: a page on this machine that shows what an agent gets for a task, and why. */

import { homedir } from 'node:os';
import { integerKind } from '../../../config/setting-kinds.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import { readVersion } from '../../shared/program-identity.ts';
import { type CliCommand, numberFlag } from '../command.ts';
import { outputPath } from '../named-files.ts';
import { printable } from '../views/output.ts';

const MAX_PORT = 65_535;

export const inspect: CliCommand = {
  name: 'inspect',
  summary: 'Open a page on this machine that shows what an agent gets for a task, and why.',
  arguments: [{ syntax: '[TASK]', help: 'The task to start with; the page can change it.' }],
  groups: [{ title: 'Page', flags: ['--port', '--static'] }],
  settings: ['include', 'exclude', 'minRelevance', 'maxFileBytes', 'historyLimit', 'cacheDir'],
  flags: [
    { syntax: '--port <PORT>', help: 'Port to listen on; 0 takes a free one. (default: 0)' },
    { syntax: '--static <FILE>', help: 'Write the page for the task into one file that opens offline.' },
  ],
  examples: [
    { line: 'loadout inspect "Fix the token refresh race"', does: 'print the address of the page' },
    { line: 'loadout inspect "Add retries" --static package.html', does: 'one file, for a pull request' },
  ],
  run: async (call) => {
    const { io, signal } = call;
    const port = numberFlag(call, 'port', integerKind({ min: 0, max: MAX_PORT })) ?? 0;
    const task = (call.arguments[0] ?? '').trim();
    const file = call.flags.static;
    if (typeof file === 'string' && task === '')
      throw new LoadoutError('empty-task', '--static needs a task', {
        hint: 'give it as an argument: loadout inspect "Add retries" --static package.html',
      });
    const root = call.repository();
    const { settings } = await call.settings();
    const home = io.env.HOME || io.env.USERPROFILE || homedir();
    const options = {
      ...{ repo: root.path, root, settings, environment: io.env, home, task, signal },
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

import { integerKind } from '../../../config/index.ts';
import { type CliCommand, numberFlag } from '../command.ts';
import {
  DOMAIN_FLAG,
  ROLE_FLAG,
  readAudience,
  readTask,
  TASK_ARGUMENT,
  TASK_FILE_FLAG,
} from '../read-task.ts';
import { sayNothingRelevant, withoutNoFiles } from '../views/package-view.ts';

const DEFAULT_CHARS = 6_000;
const MIN_CHARS = 500;
const MAX_CHARS = 200_000;

/** `loadout brief`: one page about a task, as hooks give it to agents. */
export const brief: CliCommand = {
  name: 'brief',
  summary: 'Print one page with the code that a task is about: definitions with lines, callers, tests.',
  arguments: [TASK_ARGUMENT],
  groups: [
    { title: 'What to look for', flags: ['--task-file', '--role', '--domain', '--include', '--exclude'] },
    { title: 'How much', flags: ['--max-chars'] },
  ],
  settings: ['include', 'exclude', 'historyLimit', 'cacheDir', 'store', 'storeTimeout'],
  flags: [
    TASK_FILE_FLAG,
    ROLE_FLAG,
    DOMAIN_FLAG,
    {
      syntax: '-m, --max-chars <N>',
      help: `Maximum number of characters, ${MIN_CHARS} to ${MAX_CHARS}. (default: ${DEFAULT_CHARS})`,
    },
  ],
  examples: [
    { line: 'loadout brief "Fix the token refresh race"', does: 'the code to look at first' },
    {
      line: 'loadout brief --task-file issue.md --max-chars 12000',
      does: 'a longer page, for an issue in a file',
    },
    { line: 'git log -1 --format=%B | loadout brief --task-file - --json', does: 'for other programs' },
  ],
  run: async (call) => {
    const range = integerKind({ min: MIN_CHARS, max: MAX_CHARS });
    const maxChars = numberFlag(call, 'maxChars', range) ?? DEFAULT_CHARS;
    const task = await readTask(call);
    const { settings } = await call.settings();
    const { briefRepository } = await import('../../../context/brief.ts');
    const made = await briefRepository({
      repo: call.repository().path,
      settings,
      ...(await readAudience(call, settings)),
      task,
      maxChars,
      ...(typeof call.flags.domain === 'string' ? { domain: call.flags.domain } : {}),
      signal: call.signal,
      onProgress: call.output.progress.update,
    });
    call.output.progress.clear();
    call.output.diagnostics(withoutNoFiles(made.diagnostics));
    if (call.global.json) call.output.json(made);
    else if (made.text !== '') call.output.document(made.text.trimEnd());
    if (made.text !== '') return 0;
    return call.global.json ? 1 : sayNothingRelevant(call.io, settings, made.diagnostics);
  },
};

/**
 * `loadout prompt`: builds the prompt that a worker's agent would get in a role, and prints it or explains its
 * parts. It starts no agent.
 */

import { readTrust } from '../../../config/index.ts';
import type { Prompt, PromptTemplates } from '../../../context/prompt/index.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import { safeJson } from '../../../redact/index.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { containPaths, outputPath } from '../named-files.ts';
import { readChangeFlags } from '../pack-flags.ts';
import {
  DOMAIN_FLAG,
  EXTRA_FLAG,
  openRoles,
  readExtra,
  readTask,
  TASK_ARGUMENT,
  TASK_FILE_FLAG,
} from '../read-task.ts';
import { align, countOf, printable } from '../views/output.ts';

export const prompt: CliCommand = {
  name: 'prompt',
  summary: 'Build the prompt for an agent in a role: instructions, context, task and answer format.',
  arguments: [TASK_ARGUMENT],
  groups: [
    { title: 'Task and role', flags: ['--task-file', '--role', '--domain', '--target', '--template'] },
    { title: 'Context', flags: ['--extra', '--diff', '--include', '--exclude', '--no-redact'] },
    { title: 'Output', flags: ['--output', '--explain'] },
  ],
  settings: ['include', 'exclude', 'historyLimit', 'maxTokenBudget', 'packer', 'cacheDir'],
  flags: [
    TASK_FILE_FLAG,
    DOMAIN_FLAG,
    {
      syntax: '--role <ROLE>',
      help: 'The role; "loadout roles list" shows them. (default: implementer)',
      values: 'roles',
    },
    { syntax: '--target <FILE...>', help: 'Files that the task is about.' },
    {
      syntax: '--template <NAME>',
      help: "Use this template instead of the role's: a built-in name, or your own NAME.j2.",
    },
    EXTRA_FLAG,
    {
      syntax: '--diff [BASE]',
      help: 'Show the changes on disk since BASE instead of the staged changes. (default: HEAD)',
    },
    { syntax: '--no-redact', help: 'Leave secrets in the text as they are.' },
    { syntax: '--output <FILE>', help: 'Write to a file instead of standard output.' },
    {
      syntax: '--explain',
      help: 'Instead of the prompt, print its parts, their tokens and what was left out.',
    },
  ],
  examples: [
    {
      line: 'loadout prompt "Add user authentication" --role implementer --target src/auth.ts',
      does: 'the prompt for an implementer',
    },
    {
      line: 'loadout prompt "Fix it" --target src/auth.ts --extra test_output=@failures.txt',
      does: 'add the output of the tests',
    },
    { line: 'loadout prompt "Review this" --role reviewer --diff main', does: 'review the whole branch' },
    { line: 'loadout prompt "Review this" --role reviewer --explain', does: 'show its parts and sizes' },
  ],
  run: async (call) => {
    const { flags } = call;
    // Both may read standard input; extra context is read first.
    const extra = await readExtra(call, flags.extra);
    const task = await readTask(call);
    const { settings } = await call.settings();
    const loader = await openRoles(call, settings);
    const roleName = typeof flags.role === 'string' ? flags.role : 'implementer';
    const { role, diagnostics } = await loader.load(roleName);
    call.output.diagnostics(diagnostics);
    const root = call.repository();
    const named = Array.isArray(flags.target) ? flags.target.map(String) : [];
    const targets = containPaths(root, named, call.io.cwd);
    const { createContextPacker } = await import('../../../context/prompt/context-packer.ts');
    // Without --template the role names its template, and none is read from disk.
    const templates = typeof flags.template === 'string' ? await readTemplates(call) : undefined;
    const packer = createContextPacker({
      repo: root.path,
      ...(templates ? { templates } : {}),
      settings,
      redact: flags.redact !== false,
      userDirectory: configDirectory(call.io.env),
      signal: call.signal,
      onProgress: call.output.progress.update,
    });
    const change = readChangeFlags(call);
    const options = {
      ...(change ? { change } : {}),
      ...(typeof flags.domain === 'string' ? { domain: flags.domain } : {}),
    };
    const built =
      typeof flags.template === 'string'
        ? await packer.buildFullPrompt(flags.template, role, task, targets, extra, options)
        : await packer.buildPrompt(role, task, targets, extra, options);
    call.output.progress.clear();
    call.output.diagnostics(built.diagnostics);
    await deliver(call, { ...built, diagnostics: [...diagnostics, ...built.diagnostics] });
    return 0;
  },
};

/** Templates of the repository count only when the user trusts it. */
async function readTemplates({ io, repository }: CommandCall): Promise<PromptTemplates> {
  const { openTemplates } = await import('../../../context/prompt/prompt-templates.ts');
  return openTemplates({
    repository: await readTrust(repository(), io.env),
    userDirectory: configDirectory(io.env),
  });
}

/** Writes the prompt to stdout or a file. `--explain` prints its parts in place of the text. */
async function deliver(call: CommandCall, built: Prompt): Promise<void> {
  const { output: file, explain } = call.flags;
  const text = built.text.endsWith('\n') ? built.text : `${built.text}\n`;
  if (typeof file === 'string') {
    const { writeFileAtomic } = await import('../../../platform/fs/atomic-file.ts');
    writeFileAtomic(
      outputPath([call.repository()], file, call.io.cwd),
      call.global.json ? `${safeJson(built, 2)}\n` : text,
    );
  }
  if (explain === true && !call.global.json)
    for (const line of describe(built)) call.output.line(printable(line));
  else if (typeof file !== 'string') {
    if (call.global.json) call.output.json(built);
    else call.io.stdout.write(text);
  }
}

/** The parts of a prompt with their tokens, the files that were left out, and the patterns of the role. */
function describe({ role, template, tokenCount, tokenBudget, parts, patterns }: Prompt): string[] {
  const rows = parts.map(({ key, state, tokens, files }) => {
    const out = files.filter(({ why }) => why !== undefined).length;
    const whole = files.filter(({ form }) => form === 'full').length;
    const shown = `${out === 0 ? '' : `${files.length - out} of `}${countOf(files.length, 'file')}, ${whole} of them whole`;
    const isOut = out > 0 && out === files.length;
    return [key, isOut ? 'out' : state, String(tokens), files.length === 0 ? '' : shown];
  });
  const left = parts.flatMap(({ files }) =>
    files.flatMap(({ path, why }) => (why === undefined ? [] : [[path, 'out', why]])),
  );
  const uses = patterns.map(({ field, pattern, files }) => [field, pattern, countOf(files, 'file')]);
  return [
    `${role}: ${tokenCount} of ${tokenBudget} tokens, ${template ? `template ${template}` : 'no template'}`,
    ...align([['part', 'state', 'tokens', ''], ...rows]),
    ...(left.length > 0 ? ['', ...align([['file', 'state', 'why'], ...left])] : []),
    ...(uses.length > 0 ? ['', ...align([['field', 'pattern', 'matches'], ...uses])] : []),
  ];
}

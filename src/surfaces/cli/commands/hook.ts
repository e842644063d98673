/**
 * `loadout hook`: the command that an agent client runs at an event. It passes its words on to the hook
 * program, which has a time limit and always answers.
 */

import { CLIENTS, clientOf, DEFAULT_HOOK_CLIENT, HOOK_CLIENTS, HOOK_EVENTS } from '../../../agents/index.ts';
import { DEFAULT_TIMEOUT_MS } from '../../hook/index.ts';
import type { CliCommand, CommandCall } from '../command.ts';

/** The command `hook`. Clients start the small program in `surfaces/hook` directly; both behave the same. */
export const hook: CliCommand = {
  name: 'hook',
  summary:
    'Answer a hook event of an agent: JSON on standard input, JSON on standard output. The exit code is always 0; {} means there is nothing to add.',
  arguments: [{ syntax: '[EVENT]', help: `One of ${HOOK_EVENTS.join(', ')}.`, values: HOOK_EVENTS }],
  settings: [],
  flags: [
    {
      syntax: '--client <NAME>',
      help: `One of ${HOOK_CLIENTS.join(', ')}. (default: ${DEFAULT_HOOK_CLIENT})`,
      values: HOOK_CLIENTS,
    },
    {
      syntax: '--timeout <TIME>',
      help: `Time limit; after it the answer is {}. (default: ${DEFAULT_TIMEOUT_MS / 1000}s)`,
    },
  ],
  examples: [
    {
      line: 'loadout hook user-prompt-submit',
      does: `for ${clientOf(DEFAULT_HOOK_CLIENT).name}: the context for a prompt`,
    },
    ...CLIENTS.filter(({ hooks }) => hooks?.modelRequest).map(({ id, name }) => ({
      line: `loadout hook before-model --client ${id}`,
      does: `for ${name}`,
    })),
    { line: 'loadout doctor', does: 'show why hooks had no answer' },
  ],
  run: async (call) => {
    const { runHook } = await import('../../hook/run-hook.ts');
    const { hookProcess } = await import('../../hook/hook-process.ts');
    const { stdin, stdout, env, cwd } = call.io;
    await runHook(words(call), hookProcess({ stdin, stdout, env, cwd }));
    // The thread may still be at work when the time is up, so end the process.
    call.io.forceExit(0);
    return 0;
  },
};

/** The command line of the hook program for this call. */
function words({ arguments: events, flags, global }: CommandCall): readonly string[] {
  const given = { client: flags.client, timeout: flags.timeout, repo: global.repo || undefined };
  const named = Object.entries(given).flatMap(([name, value]) => {
    return typeof value === 'string' ? [`--${name}=${value}`] : [];
  });
  return [...events, ...named];
}

/**
 * `loadout trust`: shows what a repository asks for, and lets the user allow it. Trust covers exact file
 * contents, so any change ends it.
 */

import { grantTrust, readTrust, revokeTrust, type TrustState } from '../../../config/index.ts';
import type { TrustReview } from '../../../context/roles/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import { inlineText } from '../../../redact/index.ts';
import { askYes, type CliCommand, type CommandCall, canAsk } from '../command.ts';

/** Of a system prompt; the rest is in the file, which the user should read anyway. */
const SHOWN_PROMPT = 200;

export const trust: CliCommand = {
  name: 'trust',
  summary:
    'Allow a repository to choose gates, agent flags, models and protected settings. Any change to them ends the trust.',
  arguments: [],
  settings: [],
  flags: [
    {
      syntax: '--show',
      help: 'Only show what the repository asks for. The exit code is 1 if it is not trusted.',
    },
    { syntax: '--revoke', help: 'Revoke the trust.' },
    { syntax: '--yes', help: 'Do not ask.' },
  ],
  examples: [
    { line: 'loadout trust', does: 'see what this repository asks for, and decide' },
    { line: 'loadout trust --show --json', does: 'the same for other programs, without deciding' },
    { line: 'loadout trust --revoke', does: 'revoke the trust' },
  ],
  run: async (call) => {
    const root = call.repository();
    const { env } = call.io;
    if (call.flags.revoke === true) {
      const wasTrusted = await revokeTrust(root, env);
      if (call.global.json) call.output.json({ repository: root.path, trusted: false, revoked: wasTrusted });
      else call.output.line(wasTrusted ? 'no longer trusted' : 'it was not trusted');
      return 0;
    }
    // The state is read once, so that exactly the shown state is trusted, even if a file changes meanwhile.
    const state = await readTrust(root, env);
    const { reviewTrust } = await import('../../../context/roles/review-trust.ts');
    const review = await reviewTrust(state, configDirectory(env));
    if (call.flags.show === true || state.isTrusted) {
      show(call, root.path, state, review);
      return state.isTrusted ? 0 : 1;
    }
    if (!call.global.json) show(call, root.path, state, review);
    if (call.flags.yes !== true) {
      if (!canAsk(call.io))
        throw new LoadoutError('cannot-ask', 'there is no terminal to ask whether to trust this repository', {
          subject: root.path,
          hint: 'look at "loadout trust --show", then run "loadout trust --yes"',
        });
      // The default answer is no.
      if (!(await askYes(call.io, 'Trust this repository as it is now?', call.signal))) return 1;
    }
    await grantTrust(root, env, state);
    if (call.global.json) show(call, root.path, await readTrust(root, env), review);
    else call.output.line('trusted, until one of these files changes');
    return 0;
  },
};

/** Prints everything that trust would allow. With JSON, exactly as it is in the files. */
function show(call: CommandCall, repository: string, state: TrustState, review: TrustReview): void {
  const { isTrusted, reason, digest, files, changes } = state;
  if (call.global.json) {
    call.output.json({ repository, trusted: isTrusted, reason, digest, files, changes, ...review }, true);
    return;
  }
  // Nothing is redacted here: the user must see exactly what would run.
  for (const line of describe(repository, state, review)) call.output.document(inlineText(line));
}

/** The start of a system prompt, in quotes so that its end is clear. */
function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > SHOWN_PROMPT ? `${line.slice(0, SHOWN_PROMPT)}…` : line);
}

/** The requests of a repository for people: settings, gates, flags, models, prompts and templates. */
function describe(repository: string, state: TrustState, review: TrustReview): string[] {
  const how = { trusted: 'trusted', never: 'not trusted', changed: 'no longer trusted' }[state.reason];
  const asks = [
    ...review.settings.map(
      ({ name, value, where }) => `  sets ${name} to ${JSON.stringify(value)} (${where})`,
    ),
    ...review.roles.flatMap(({ name, file, flags, gates, model, systemPrompts }) => [
      ...gates.map((gate) => `  runs ${JSON.stringify(gate)} as a gate of ${name} (${file})`),
      ...(flags.length > 0
        ? [`  gives the agent of ${name} the flags ${JSON.stringify(flags)} (${file})`]
        : []),
      ...(model === null
        ? []
        : [`  lets the agent of ${name} use the model ${JSON.stringify(model)} (${file})`]),
      ...systemPrompts.map((text) => `  says in the system prompt of ${name}: ${excerpt(text)} (${file})`),
    ]),
    ...review.templates.map(({ name, file }) => `  brings the prompt template ${name} (${file})`),
  ];
  return [
    `${repository}: ${how}`,
    ...state.changes.map((path) => `  changed: ${path}`),
    asks.length === 0 ? 'It asks for nothing that needs trust.' : 'It asks for this:',
    ...asks,
    ...review.problems.map((problem) => `  not shown: ${problem}`),
    state.files.length === 0 ? 'Trust would cover no files yet.' : 'Trust covers:',
    ...state.files.map(({ path }) => `  ${path}`),
  ];
}

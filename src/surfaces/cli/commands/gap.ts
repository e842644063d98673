import { LoadoutError } from '../../../model/loadout-error.ts';
import { wallClockMs } from '../../../platform/clock.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { printable } from '../printable.ts';

export const gap: CliCommand = {
  name: 'gap',
  summary:
    'Report what a package lacked, so that similar tasks get it next time. "loadout eval" lists all gaps.',
  arguments: [{ syntax: '[TEXT]', help: 'What was missing, best with a path or a name.' }],
  settings: ['cacheDir'],
  flags: [
    {
      syntax: '--package <ID>',
      help: 'Id of the package; "loadout pack" prints it on stderr, and --json has it.',
    },
    { syntax: '--task <TASK>', help: 'The task, for a package that was not built here.' },
    { syntax: '--forget', help: 'Forget all gaps of this repository.' },
  ],
  examples: [
    {
      line: 'loadout gap --package 4f1c22ab90d3e617 "the settings of the retry queue, src/queue/retry.ts"',
      does: 'what was missing, and where it was found',
    },
    { line: 'loadout gap --forget', does: 'start anew' },
  ],
  run: async (call) => {
    const { settings } = await call.settings();
    const { openRepository } = await import('../../../scan/repository.ts');
    const repository = await openRepository(call.repository().path, settings.cacheDir);
    const { forgetGaps } = await import('../../../context/evaluate/gaps.ts');
    if (call.flags.forget === true) {
      const forgotten = forgetGaps(repository, settings.cacheDir);
      if (call.global.json) call.output.json({ forgotten });
      else call.output.line(`${forgotten} gaps are forgotten`);
      return 0;
    }
    const { reportGap } = await import('../../hook/report-gap.ts');
    const reported = reportGap(repository, settings.cacheDir, {
      package: textFlag(call, 'package'),
      task: textFlag(call, 'task'),
      text: call.arguments[0] ?? '',
      nowMs: wallClockMs(),
    });
    if (call.global.json) call.output.json(reported);
    else {
      const of =
        reported.task === '' ? 'no package of this id was built here: give --task to make it a hint' : '';
      call.output.line(`kept: ${printable(reported.text)}${of === '' ? '' : ` (${of})`}`);
    }
    return 0;
  },
};

function textFlag(call: CommandCall, name: 'package' | 'task'): string {
  const given = call.flags[name];
  if (typeof given === 'string') return given;
  if (name === 'task') return '';
  throw new LoadoutError('missing-flag', '"loadout gap" needs --package ID', {
    subject: '--package',
    hint: '"loadout pack" prints the id on stderr, and --json has it',
  });
}

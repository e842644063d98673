import { align } from '../align.ts';
import type { CliCommand } from '../command.ts';
import { printable } from '../printable.ts';
import { readVersion } from '../read-version.ts';

export const doctor: CliCommand = {
  name: 'doctor',
  summary: 'Check what is installed and what works. Exit code 1 when something is broken.',
  arguments: [],
  settings: ['cacheDir'],
  flags: [],
  examples: [{ line: 'loadout doctor', does: 'versions, git, the cache directory, the grammars' }],
  run: async (call) => {
    const { settings } = await call.settings();
    const { checkCacheDirectory, checkGit, checkGrammars, checkNode } = await import('../doctor-checks.ts');
    const checks = [
      { name: 'loadout', state: 'good', detail: readVersion() } as const,
      checkNode(process.version),
      await checkGit(call.io.env, call.repository().path),
      checkCacheDirectory(settings.cacheDir),
      checkGrammars(),
    ];
    const isBroken = checks.some(({ state }) => state === 'broken');
    if (call.global.json) call.output.json({ healthy: !isBroken, checks });
    else {
      const { green, yellow, red } = call.output.colors;
      const paint = { good: green, limited: yellow, broken: red };
      const rows = checks.map(({ name, state, detail }) => [paint[state](state), name, printable(detail)]);
      for (const line of align(rows)) call.output.line(line);
    }
    return isBroken ? 1 : 0;
  },
};

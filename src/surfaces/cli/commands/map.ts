/**
 * `loadout map`: prints an outline of the repository inside a token budget, with its most central files and
 * their signatures.
 */

import { LoadoutError } from '../../../model/loadout-error.ts';
import type { CliCommand } from '../command.ts';
import { containPaths } from '../named-files.ts';
import { ROLE_FLAG, readAudience } from '../read-task.ts';

/** An outline has fewer formats than a package. */
const FORMATS = ['markdown', 'json'] as const;

export const map: CliCommand = {
  name: 'map',
  summary: 'Print an outline of the repository: its most central files and their signatures.',
  arguments: [],
  groups: [
    { title: 'What to show', flags: ['--budget', '--focus', '--include', '--exclude', '--role'] },
    { title: 'Output', flags: ['--format'] },
  ],
  settings: ['tokenBudget', 'include', 'exclude', 'cacheDir'],
  flags: [
    { syntax: '--focus <PATH...>', help: 'Centre the outline on these files or folders.' },
    ROLE_FLAG,
    {
      syntax: `--format <${FORMATS.join('|')}>`,
      help: 'Output format. (default: markdown; json with --json)',
    },
  ],
  examples: [
    { line: 'loadout map --budget 8k', does: 'the whole repository in 8,000 tokens' },
    { line: 'loadout map --focus src/auth', does: 'centre the outline on one folder' },
  ],
  run: async (call) => {
    const given = call.flags.format ?? (call.global.json ? 'json' : 'markdown');
    const format = FORMATS.find((known) => known === given);
    if (!format) {
      const message = `--format: ${JSON.stringify(given)} is not a format; allowed is ${FORMATS.join(' or ')}`;
      throw new LoadoutError('bad-flag', message, { subject: '--format' });
    }
    const loaded = await call.settings();
    const { MAP_BUDGET, mapRepository } = await import('../../../context/map.ts');
    const isSized = loaded.provenance.tokenBudget.source !== 'default';
    const settings = isSized ? loaded.settings : { ...loaded.settings, tokenBudget: MAP_BUDGET };
    // Paths of --focus may be relative to the current directory.
    const root = call.repository();
    const named = Array.isArray(call.flags.focus) ? call.flags.focus.map(String) : [];
    const focus = containPaths(root, named, call.io.cwd);
    const outline = await mapRepository({
      repo: root.path,
      settings,
      ...(await readAudience(call, settings)),
      focus,
      signal: call.signal,
      onProgress: call.output.progress.update,
    });
    call.output.progress.clear();
    call.output.diagnostics(outline.diagnostics);
    if (format === 'json') call.output.json(outline);
    else call.output.document(outline.text.trimEnd());
    return 0;
  },
};

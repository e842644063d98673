/**
 * `loadout rank`: lists the files that a task needs, best first. With `--repos` it searches the repositories of
 * a team's store.
 */

import { integerKind, type Settings } from '../../../config/index.ts';
import type { Ranking } from '../../../model/ranking.ts';
import { type CliCommand, type CommandCall, numberFlag } from '../command.ts';
import {
  DOMAIN_FLAG,
  ROLE_FLAG,
  readAudience,
  readTask,
  TASK_ARGUMENT,
  TASK_FILE_FLAG,
} from '../read-task.ts';
import { printable } from '../views/output.ts';
import {
  analysisJson,
  formatAnalysis,
  formatRanking,
  sayNothingRelevant,
  symbolLines,
  withoutNoFiles,
} from '../views/package-view.ts';

/** Fits on a screen. */
const DEFAULT_LIMIT = 20;
/** A limit against typing errors. */
const MAX_LIMIT = 1_000;

export const rank: CliCommand = {
  name: 'rank',
  summary: 'Rank the files of the repository by how much a task needs them.',
  arguments: [TASK_ARGUMENT],
  groups: [
    {
      title: 'What to rank',
      flags: ['--task-file', '--role', '--domain', '--include', '--exclude', '--repos'],
    },
    { title: 'What to print', flags: ['--limit', '--symbols', '--explain', '--min-relevance'] },
  ],
  settings: [
    'include',
    'exclude',
    'minRelevance',
    'astWeight',
    'semanticWeight',
    'historyLimit',
    'cacheDir',
    'store',
    'storeRepository',
    'storeBranch',
    'storeTimeout',
  ],
  flags: [
    TASK_FILE_FLAG,
    ROLE_FLAG,
    { syntax: '-n, --limit <N>', help: `Maximum number of files. (default: ${DEFAULT_LIMIT})` },
    {
      syntax: '--repos <PATTERN...>',
      help: "Search these repositories of the team's store instead, such as 'org/*' (by words only).",
    },
    DOMAIN_FLAG,
    { syntax: '--explain', help: 'Also print how the task was read, and every reason for each file.' },
    { syntax: '--symbols', help: 'Also list the relevant definitions of each file, with their lines.' },
  ],
  examples: [
    { line: 'loadout rank "Fix the token refresh race"', does: 'the files this task needs, best first' },
    { line: 'loadout rank --task-file issue.md --symbols', does: 'for an issue in a file, with definitions' },
    {
      line: "loadout rank 'rate limiter' --store team --repos 'org/*'",
      does: "search the team's repositories",
    },
    { line: 'git log -1 --format=%B | loadout rank --task-file - --json', does: 'for other programs' },
  ],
  run: async (call) => {
    const limit = numberFlag(call, 'limit', integerKind({ min: 1, max: MAX_LIMIT })) ?? DEFAULT_LIMIT;
    const task = await readTask(call);
    const { settings } = await call.settings();
    // The team's store is searched by words only.
    if (call.flags.repos !== undefined) return searchRepositories(call, settings, task, limit);
    const { rankRepository } = await import('../../../context/rank.ts');
    const ranking = await rankRepository({
      repo: call.repository().path,
      settings,
      ...(await readAudience(call, settings)),
      task,
      limit,
      ...(typeof call.flags.domain === 'string' ? { domain: call.flags.domain } : {}),
      signal: call.signal,
      onProgress: call.output.progress.update,
    });
    call.output.progress.clear();
    call.output.diagnostics(withoutNoFiles(ranking.diagnostics));
    if (call.global.json) call.output.json(rankingJson(ranking));
    else {
      const isExplained = call.flags.explain === true;
      const { colors } = call.output;
      if (isExplained) for (const line of formatAnalysis(ranking.analysis, colors)) call.output.line(line);
      const options = { withSymbols: call.flags.symbols === true, withReasons: isExplained };
      for (const line of formatRanking(ranking, colors, options)) call.output.line(line);
    }
    if (ranking.files.length > 0) return 0;
    return call.global.json ? 1 : sayNothingRelevant(call.io, settings, ranking.diagnostics);
  },
};

/** Prints the files of other repositories that match. The exit code is 1 when there are none. */
async function searchRepositories(
  call: CommandCall,
  settings: Settings,
  task: string,
  limit: number,
): Promise<number> {
  const { searchTeamStore } = await import('../../../context/search-team-store.ts');
  const repositories = [call.flags.repos].flat().map(String);
  const files = await searchTeamStore({ settings, task, repositories, limit, signal: call.signal });
  if (call.global.json) call.output.json({ task, repositories, files, diagnostics: [] });
  else
    for (const { repository, branch, path, score, symbols } of files) {
      call.output.line(`${score.toFixed(3).padStart(8)}  ${printable(`${repository}@${branch}  ${path}`)}`);
      if (call.flags.symbols === true)
        for (const line of symbolLines(symbols, call.output.colors)) call.output.line(line);
    }
  if (files.length > 0) return 0;
  call.io.stderr.write(
    `loadout: no file in ${printable(repositories.join(', '))} matches this task\n` +
      'hint: "loadout store status" lists the repositories of the store\n',
  );
  return 1;
}

/** The shape that other programs rely on: symbols by name. */
function rankingJson({ task, analysis, files, diagnostics }: Ranking) {
  return {
    task,
    analysis: analysisJson(analysis),
    files: files.map(({ symbols, blocks: _, ...file }) => ({
      ...file,
      symbols: symbols.map(({ name }) => name),
    })),
    diagnostics,
  };
}

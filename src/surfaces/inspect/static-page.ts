/** Writes a view as one file from the command line: the questions that the page would ask at first, with their answers. */

import { safeJson } from '../../redact/index.ts';
import type { DataRoute, InspectContext } from './context.ts';
import { fileRoute } from './file-data.ts';
import { packageRoute } from './package-data.ts';
import { repositoryRoute } from './repository-data.ts';
import { runsRoute } from './runs-data.ts';
import { sessionsRoute } from './sessions-data.ts';
import { FIRST_STATE, type PageState, questionKey, staticFile } from './static-file.ts';
import { whyRoute } from './why-data.ts';

type ViewName = 'package' | 'why' | 'repository' | 'sessions' | 'runs';

/** Which view, and what it is about. */
export interface StaticRequest {
  readonly view: ViewName;
  readonly task: string;
  /** The file whose lines are shown, or that is explained; empty for none. */
  readonly file: string;
}

type Question = readonly [route: DataRoute, query: unknown];

/** What the page asks when it opens in a state. */
function questionsOf({
  view,
  task,
  budget,
  pinned,
  excluded,
  forms,
  file,
  path,
}: PageState): readonly Question[] {
  const query = { task, budget, pinned, excluded, forms };
  if (view === 'why') return [[whyRoute, { task, path }]];
  if (view === 'repository') return [[repositoryRoute, {}]];
  if (view === 'sessions') return [[sessionsRoute, {}]];
  if (view === 'runs') return [[runsRoute, {}]];
  return [[packageRoute, query], ...(file === '' ? [] : [[fileRoute, { ...query, path: file }] as const])];
}

/** The finished file. `readPageFile` gives the parts of the page as they were built. */
export async function staticPage(
  context: InspectContext,
  { view, task, file }: StaticRequest,
  readPageFile: (name: 'app.js' | 'app.css') => string,
): Promise<string> {
  const about = view === 'why' ? { path: file } : { file };
  const state: PageState = { ...FIRST_STATE, view, task, ...about };
  const answers: Record<string, unknown> = {};
  for (const [route, query] of questionsOf(state))
    answers[questionKey(route.path, query)] = await route.answer(context, query);
  return staticFile(readPageFile('app.js'), readPageFile('app.css'), safeJson({ state, answers }));
}

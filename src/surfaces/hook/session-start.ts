import { fitsLimit, type HookAnswer } from '../../agents/index.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { NOTHING, withContext } from './hook-call.ts';
import type { HookContext } from './hook-context.ts';
import { marked } from './hook-text.ts';

/** Sources that keep the context of the session before. */
const GOES_ON = new Set(['resume', 'fork']);
/** Sources after which the main thread has lost its context. */
const FORGETS = new Set(['compact', 'clear']);
/** Change it when stored maps must not be used any more. */
const MAP_FORMAT = 2;
const MAP_TOKENS = 1_500;
const MIN_TOKENS = 300;

/** A session begins: adds the map of the repository, once, and again after the client has dropped its context. */
export async function sessionStart(context: HookContext): Promise<HookAnswer> {
  const { call, memory, files } = context;
  const source = call.source ?? 'startup';
  if (GOES_ON.has(source) || call.dialect.escapesSessionStart) return NOTHING;
  if (FORGETS.has(source)) memory.add({ kind: 'forgotten' });
  else if (memory.hasMap) return NOTHING;
  else files.tidy(wallClockMs());
  const text = await mapText(context);
  if (text !== '') memory.add({ kind: 'map' });
  return withContext(call, text);
}

async function mapText(context: HookContext): Promise<string> {
  const { settings, files, call } = context;
  const limit = call.dialect.contextLimit;
  const audience = {
    role: call.agent,
    event: call.event,
    userDirectory: configDirectory(context.environment),
  };
  const tokens = Math.min(MAP_TOKENS, settings.summaryMaxTokens);
  return context.withScan(async (scan) => {
    const { guidelines } = await context.guidelines();
    const rules = guidelines
      .map(({ guideline }) => guideline)
      .filter(({ action }) => action.type === 'path_restriction');
    const key = JSON.stringify([MAP_FORMAT, scan.index.snapshot.id, tokens, limit, call.agent, rules]);
    const kept = files.read('maps', key);
    if (kept !== null) return kept;
    const { mapScan } = await import('../../context/map.ts');
    for (let tokenBudget = tokens; tokenBudget >= MIN_TOKENS; tokenBudget = Math.floor(tokenBudget / 2)) {
      const map = await mapScan({ settings: { ...settings, tokenBudget }, focus: [], ...audience }, scan);
      const text = marked(map.text.trimEnd());
      if (!fitsLimit(text, limit)) continue;
      files.write('maps', key, text);
      return text;
    }
    return '';
  });
}

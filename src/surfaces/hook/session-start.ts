import { fitsLimit, type HookAnswer } from '../../agents/hook-dialect.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { NOTHING, withContext } from './hook-call.ts';
import type { HookDesk } from './hook-desk.ts';
import { marked } from './hook-text.ts';

/** Their context comes along. */
const GOES_ON = new Set(['resume', 'fork']);
/** What the main thread knew is gone. */
const FORGETS = new Set(['compact', 'clear']);
/** Another one when a kept map must not be used any more. */
const MAP_FORMAT = 2;
const MAP_TOKENS = 1_500;
const MIN_TOKENS = 300;

/** A session begins: the map of the repository, once, and again after the client has thrown it away. */
export async function sessionStart(desk: HookDesk): Promise<HookAnswer> {
  const { call, memory, files } = desk;
  const source = call.source ?? 'startup';
  if (GOES_ON.has(source) || call.dialect.escapesSessionStart) return NOTHING;
  if (FORGETS.has(source)) memory.add({ kind: 'forgotten' });
  else if (memory.hasMap) return NOTHING;
  else files.tidy(wallClockMs());
  const text = await mapText(desk);
  if (text !== '') memory.add({ kind: 'map' });
  return withContext(call, text);
}

async function mapText(desk: HookDesk): Promise<string> {
  const { settings, files, call } = desk;
  const limit = call.dialect.contextLimit;
  const audience = {
    role: call.agent,
    event: call.event,
    userDirectory: configDirectory(desk.environment),
  };
  const tokens = Math.min(MAP_TOKENS, settings.summaryMaxTokens);
  return desk.withScan(async (scan) => {
    const { guidelines } = await desk.guidelines();
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

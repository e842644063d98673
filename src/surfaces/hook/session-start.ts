import { createHash } from 'node:crypto';
import { fitsLimit, type HookAnswer, type TextLimit } from '../../agents/index.ts';
import { evaluateGuidelines, guardFiles } from '../../context/guidelines/index.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { inlinePath, shownName } from '../../redact/index.ts';
import { NOTHING, withContext } from './hook-call.ts';
import type { HookContext } from './hook-context.ts';
import { type FileRecord, readHookRecords } from './hook-records.ts';
import { guidelineText, joined, marked, roomBeside, tellTask } from './hook-text.ts';
import { packageFor, readPackage } from './task-package.ts';

/** Sources after which the main thread has lost its context. */
const FORGETS = new Set(['compact', 'clear']);
/** Sources after which a session continues its task. */
const RESTORES = new Set(['compact', 'resume']);
/** Change it when stored maps must not be used any more. */
const MAP_FORMAT = 2;
const MAP_TOKENS = 1_500;
const MIN_TOKENS = 300;

/**
 * A session begins: adds guidelines. When the client has dropped its context, adds the brief of the task again, and names
 * the files that the session has worked on. The map of the repository comes once, for users who want it.
 */
export async function sessionStart(context: HookContext): Promise<HookAnswer> {
  const { call, memory, files, settings } = context;
  const source = call.source ?? 'startup';
  const limit = call.dialect.contextLimit;
  if (source === 'fork' || call.dialect.escapesSessionStart) return NOTHING;
  const lastTold = memory.lastTold;
  if (FORGETS.has(source)) memory.forget();
  else if (source !== 'resume') files.tidy(wallClockMs());
  const rules = await newRules(context, limit);
  const restored = RESTORES.has(source)
    ? await restoredText(context, lastTold, roomBeside(rules, limit))
    : '';
  const wantsMap = settings.sessionMap === 'on' && source !== 'resume' && !memory.hasMap;
  const map = wantsMap ? await mapText(context, roomBeside(joined(rules, restored), limit)) : '';
  if (map !== '') memory.add({ kind: 'map' });
  return withContext(call, joined(rules, restored, map));
}

/** Guidelines that apply to any task and that the session has not received yet. */
async function newRules({ call, memory, guidelines }: HookContext, limit: TextLimit): Promise<string> {
  const { agent, event } = call;
  const situation = { agent, event, action: null, domains: [], paths: [] };
  const judgements = evaluateGuidelines((await guidelines()).guidelines, situation).filter(
    ({ applies, guideline }) => applies && !memory.hasRule(guideline.id),
  );
  const text = guidelineText(judgements, limit);
  if (text !== '') memory.add({ kind: 'rules', ids: judgements.map(({ guideline }) => guideline.id) });
  return text;
}

/** Maximum number of characters that are brought back. */
const MAX_RESTORED = 3_000;
/** Maximum number of characters of its list of files. */
const MAX_FILES = 1_000;

/** The brief of the session's task, and the files that it has read and edited; empty when nothing of it is new. */
async function restoredText(
  context: HookContext,
  lastTold: string | null,
  { characters, bytes }: TextLimit,
): Promise<string> {
  const { call, files, memory } = context;
  const { agent } = call;
  const limit = { characters: Math.min(characters, MAX_RESTORED), bytes };
  const found = await workedOn(context);
  const list = fitsLimit(found, limit) ? found : '';
  const room = roomBeside(list, limit);
  const kept = lastTold === null ? null : readPackage(files, lastTold);
  const made = kept && (await packageFor(context, kept.task, agent, { maxChars: room.characters }));
  // A client that resumes before every prompt would get it each time.
  const id = createHash('sha256')
    .update(JSON.stringify([made?.id, list]))
    .digest('hex');
  if (memory.hasRestored(id)) return '';
  memory.add({ kind: 'restored', id });
  // After compaction nothing counts as seen; after a resume the text is repeated.
  const told = FORGETS.has(call.source ?? '') ? memory : null;
  const { text } = made
    ? await tellTask(context, made, { agent, limit: room, told, form: 'restored' })
    : { text: '' };
  return joined(text, list);
}

/** The files that hooks have seen read or edited in this session, last first, marked. */
async function workedOn(context: HookContext): Promise<string> {
  const { call, root, settings, environment } = context;
  const { sessionId, agent, event } = call;
  const used = readHookRecords(settings.cacheDir, root.path).filter(
    (one): one is FileRecord =>
      one.kind === 'file' &&
      one.session === sessionId &&
      sessionId !== '' &&
      // Files that a subagent read were never in this thread.
      (one.how === 'edit' || one.agent === null),
  );
  const userDirectory = configDirectory(environment);
  const guard = await guardFiles({ root, role: agent, event, userDirectory });
  const lines: string[] = [];
  let left = MAX_FILES;
  for (const path of new Set(used.toReversed().map(({ path }) => path))) {
    if (!guard.allow(path) || root.stat(path)?.type !== 'file') continue;
    const line = usesOf(
      path,
      used.filter((one) => one.path === path),
    );
    if (line.length + 1 > left) break;
    left -= line.length + 1;
    lines.push(line);
  }
  return lines.length === 0 ? '' : marked([WORKED_ON, ...lines].join('\n'));
}

const WORKED_ON = 'Files of this session, with the lines that were read or edited, last first:';
/** Of one file. */
const MAX_RANGES = 6;

/** `src/a.ts - edited 10-42; read 1-80, 200-260`. */
function usesOf(path: string, uses: readonly FileRecord[]): string {
  const kinds = (['edit', 'read'] as const).flatMap((how) => {
    const own = uses.filter((one) => one.how === how);
    const ranges = joinRanges(own.flatMap(({ lines }) => (lines === null ? [] : [lines])));
    const shown = ranges
      .slice(-MAX_RANGES)
      .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
    return own.length === 0 ? [] : [`${how === 'edit' ? 'edited' : 'read'} ${shown.join(', ')}`.trimEnd()];
  });
  return `${inlinePath(shownName(path))} - ${kinds.join('; ')}`;
}

/** Sorts ranges and joins those that touch. */
function joinRanges(ranges: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const joinedRanges: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const before = joinedRanges.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joinedRanges.push([first, last]);
  }
  return joinedRanges;
}

async function mapText(context: HookContext, limit: TextLimit): Promise<string> {
  const { settings, files, call } = context;
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

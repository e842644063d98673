// One line about the session that an agent client shows below its prompt.

import { DEFAULT_HOOK_CLIENT, hooksOf, isRecord } from '../../agents/index.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import type { Environment } from '../../platform/environment.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import { openSettings } from '../shared/open-settings.ts';
import { readSessions } from './sessions.ts';
import { totalsOf } from './totals.ts';

const MAX_INPUT = 1_000_000;

/** The line for the input of a client. Reads the records of one repository, scans nothing, and never throws. */
export async function statusLine(input: string, env: Environment, cwd: string): Promise<string> {
  try {
    const value = jsonOrNull(input, MAX_INPUT);
    const { fields } = hooksOf(DEFAULT_HOOK_CLIENT);
    const text = (names: readonly string[]) =>
      names.map((name) => (isRecord(value) ? value[name] : '')).find((one) => typeof one === 'string') ?? '';
    const session = String(text(fields.sessionId));
    const place = locateRepository(String(text(fields.cwd)) || cwd);
    if (place.kind !== 'found') return 'loadout: no repository';
    const root = openSafeRoot(place.workTree);
    const { settings } = await openSettings({ env, cwd: root.path }, { config: '' }, {}, root);
    if (settings.hookRecords === 'off') return 'loadout: records are off';
    const sessions = readSessions(settings.cacheDir, root.path).filter(({ id }) => id === session);
    const answers = session === '' ? [] : sessions.flatMap((one) => one.answers);
    if (answers.length === 0) return 'loadout: ready';
    const { spoke, injected, edited, read, watched, misses, tokens } = totalsOf(answers);
    const used = watched === 0 ? '' : `, ${edited + read} used`;
    const missed = misses === 0 ? '' : ` · ${misses} missed`;
    const size = tokens === 0 ? '' : ` · ${tokens.toLocaleString('en-US')} tokens`;
    return `loadout: spoke ${spoke} of ${answers.length} · ${injected} told${used}${missed}${size}`;
  } catch {
    // The line of a client must not become an error message.
    return 'loadout';
  }
}

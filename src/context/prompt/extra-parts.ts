import { LoadoutError } from '../../model/loadout-error.ts';
import { markHidden } from '../../redact/mark-hidden.ts';
import { withoutSecrets } from '../../redact/outgoing-text.ts';
import { PROTECTED_KEYS } from './part-order.ts';
import { type SourcePart, textPart } from './prompt-section.ts';

export type ExtraContext = Readonly<Record<string, string>>;

const KEY = /^[A-Za-z][\w-]{0,63}$/;
/** Lines that could be taken for a part of the prompt itself. */
const LOOKS_LIKE_STRUCTURE = /^ {0,3}(?:#|`{3}|~{3}|---|===)/m;

/** What the caller adds, such as `test_output`, which becomes `## Test Output`. */
export function extraParts(extra: ExtraContext, redact = true): SourcePart[] {
  return Object.entries(extra).map(([key, given]) => {
    if (!KEY.test(key) || PROTECTED_KEYS.has(key)) throw badKey(key);
    const value = markHidden(redact ? withoutSecrets(given) : given).text;
    const fence = LOOKS_LIKE_STRUCTURE.test(value) ? '' : null;
    return textPart({ key, heading: `## ${titleOf(key)}`, body: value, fence, keeps: 'ends' });
  });
}

/** `test_output` to `Test Output`. */
export function titleOf(key: string): string {
  return key
    .replaceAll('_', ' ')
    .replace(/\p{L}+/gu, (run) => run[0]!.toUpperCase() + run.slice(1).toLowerCase());
}

function badKey(key: string): LoadoutError {
  const shown = JSON.stringify(key.slice(0, 80));
  const allowed = `a letter, then up to 63 letters, digits, _ and -, and none of ${[...PROTECTED_KEYS].join(', ')}`;
  return new LoadoutError('bad-extra', `extra context cannot be called ${shown}; allowed is ${allowed}`, {
    subject: key,
  });
}

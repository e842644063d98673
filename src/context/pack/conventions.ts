import type { Convention } from '../../model/context-pack.ts';
import type { CountTokens } from '../fit/count-tokens.ts';
import { cutToTokens } from '../fit/cut-text.ts';
import type { SourceReader } from './item-source.ts';

/** Most telling first: what is written for agents before what is written for people. */
const FILES: readonly string[] = [
  'AGENTS.md',
  'CLAUDE.md',
  '.github/copilot-instructions.md',
  'GEMINI.md',
  'CONTRIBUTING.md',
  '.github/CONTRIBUTING.md',
  'docs/CONTRIBUTING.md',
  'CONTRIBUTING.rst',
  'CONTRIBUTING',
];
/** For agents; where there is one, what people are told adds little. */
const FOR_AGENTS = 4;
/** Less than this is a heading and a greeting. */
const LEAST = 60;
/** What the frame of one costs at most, beside its text. */
const FRAME = 24;
const CUT = '\n[...]';

/** What the repository asks of its contributors, as far as there is room. */
export function findConventions(sources: SourceReader, room: number, count: CountTokens): Convention[] {
  const found: Convention[] = [];
  const seen = new Set<string>();
  let left = room;
  for (const [at, path] of FILES.entries()) {
    if (found.length > 0 && at >= FOR_AGENTS) break;
    if (left - FRAME < LEAST || sources.fileAt(path)?.segment === undefined) continue;
    const text = sources.read(path)?.text.trim();
    if (text === undefined || text === '' || seen.has(text)) continue;
    seen.add(text);
    const shown = cutToTokens(text, left - FRAME, count, CUT);
    const cut = shown !== text;
    const whole = cut
      ? `${shown.slice(0, shown.lastIndexOf('\n', shown.length - CUT.length - 1))}${CUT}`
      : shown;
    found.push({ path, text: whole, cut });
    left -= count(whole) + FRAME;
  }
  return found;
}

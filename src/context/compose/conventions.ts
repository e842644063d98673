// The rules of a repository for contributors, as an agent needs them: commands, rules and layout from AGENTS.md,
// CONTRIBUTING.md and the like, in whole lines.
import { CLIENTS } from '../../agents/index.ts';
import type { Convention } from '../../model/context-pack.ts';
import type { CountTokens } from '../fit/index.ts';
import type { SourceReader } from './source.ts';

/** Written for agents: for all of them, then for each client's. */
const FOR_AGENTS: readonly string[] = [
  'AGENTS.md',
  ...CLIENTS.flatMap(({ conventionFiles }) => conventionFiles ?? []),
];
/** Written for people: adds little where there is a file for agents. */
const FOR_PEOPLE: readonly string[] = [
  'CONTRIBUTING.md',
  '.github/CONTRIBUTING.md',
  'docs/CONTRIBUTING.md',
  'CONTRIBUTING.rst',
  'CONTRIBUTING',
];
/** Less room than this is not enough for a rule. */
const MIN_ROOM = 40;
/** These files tell people a lot about the project; only commands and rules for code are taken. */
const WORTH_FOR_PEOPLE = 2.5;
/** Maximum tokens of the frame around one text. */
const FRAME = 24;

/** The conventions of a repository, within this many tokens. A text that two files share appears once. */
export function findConventions(
  sources: SourceReader,
  allow: (path: string) => boolean,
  room: number,
  count: CountTokens,
): Convention[] {
  const found: Convention[] = [];
  const seen = new Set<string>();
  let left = room;
  for (const [at, path] of [...FOR_AGENTS, ...FOR_PEOPLE].entries()) {
    if (found.length > 0 && at >= FOR_AGENTS.length) break;
    const isListed = allow(path) && sources.fileAt(path)?.segment !== undefined;
    const whole = isListed && left - FRAME >= MIN_ROOM ? sources.read(path)?.text : undefined;
    if (whole === undefined) continue;
    const least = at < FOR_AGENTS.length ? 0 : WORTH_FOR_PEOPLE;
    const fresh = usefulBlocks(whole).filter(({ text, worth }) => worth >= least && !seen.has(textKey(text)));
    const text = chooseBlocks(fresh, left - FRAME, count);
    for (const one of fresh) seen.add(textKey(one.text));
    if (text === '') continue;
    found.push({ path, text, cut: textKey(text) !== textKey(whole) });
    left -= count(text) + FRAME;
  }
  return found;
}

/** The same rule in other spaces is the same rule. */
const textKey = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A paragraph, an item of a list or a block of code, below its headings. */
interface Block {
  readonly text: string;
  readonly heading: string;
  readonly worth: number;
  /** Its place in the text. */
  readonly at: number;
}

/** Sections that a code change does not need. Everything below such a heading is left out. */
const OTHER_HEADING =
  /licen[cs]e|\bCLA\b|\bDCO\b|certificate of origin|copyright|code of conduct|table of contents|^\W*contents\W*$|communit|sponsor|donat|governance|\b(?:report|file|open)\w* .*(?:issue|bug|vulnerab|security)|\bsecurity\b|getting help|support|questions|contact|acknowledge|release notes/i;
const LEGAL =
  /contributor licen[cs]e|\bCLA\b|certificate of origin|\bDCO\b|copyright|intellectual property|hereby|royalty-free|licen[cs]ed under|SPDX-|\bwarrant/i;
/** Pictures, links that are pictures, and lists of places in the same page. */
const BADGE = /^(?:\s*\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?)+\s*$/;
const CONTENTS_ENTRY = /^\s*(?:[-*+]|\d+\.)\s+\[[^\]]*\]\(#[^)]*\)\s*$/;
const POINTER = /^\s*@\S+\s*$|^\s*-{3,}\s*$|^\s*[=~^]{3,}\s*$/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;
const FENCE = /^\s*(`{3,}|~{3,})\s*(\w*)/;
const SHELL = /^(?:bash|sh|shell|console|zsh|)$/;
const COMMAND_LINE = /^\s*(?:\$ )?[a-z./][\w./-]*(?: |$)/;
/** Words that make a sentence a rule. */
const RULE =
  /\b(?:must|never|always|do not|don't|should|prefer|avoid|require[sd]?|follow|keep|ensure|make sure|only|run|use)\b/i;
const COMMAND = /`[a-z./][\w./-]* [^`]+`/;
const PATHS = /`[\w.-]+\/[^`]*`/;
const USEFUL_HEADING =
  /test|build|command|develop|lint|style|format|convention|guideline|architect|structure|layout|commit|pull request|\bPRs?\b|rule|coding|setup|workflow/i;

/** The blocks of a Markdown text that help with a change, in their order. */
function usefulBlocks(text: string): Block[] {
  const lines = text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split(/\r?\n/);
  const blocks: Block[] = [];
  let count = 0;
  let heading = '';
  /** The depth of the heading whose section is left out; 0 for none. */
  let skipped = 0;
  let open: string[] = [];
  const add = (content: string, worth: number) => {
    const isText = content.trim() !== '' && !BADGE.test(content) && !CONTENTS_ENTRY.test(content);
    if (skipped === 0 && isText) blocks.push({ text: content, heading, worth, at: count });
    count++;
  };
  const close = () => {
    const content = open.join('\n');
    open = [];
    // a rule may be about signing off: it says how
    if (!LEGAL.test(content) || COMMAND.test(content)) add(content, worthOf(content, heading));
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trimEnd();
    const [, depth, title] = HEADING.exec(line) ?? [];
    const fence = FENCE.exec(line);
    if (depth !== undefined) {
      close();
      if (skipped === 0 || depth.length <= skipped) skipped = OTHER_HEADING.test(title!) ? depth.length : 0;
      heading = line;
    } else if (fence) {
      const last = lines.findIndex((one, other) => other > at && one.trim().startsWith(fence[1]!));
      const end = last < 0 ? lines.length : last;
      // the sentence before a block of code belongs to it
      const lead = open;
      open = [];
      const code = lines.slice(at + 1, end).map((one) => one.trimEnd());
      const isShell = SHELL.test(fence[2]!) && code.some((one) => COMMAND_LINE.test(one));
      const kept = isShell ? code.filter((one) => one !== '' && !/^\s*#/.test(one)) : code;
      const block = [...lead, `${fence[1]}${fence[2]}`, ...kept, fence[1]!].join('\n');
      add(block, isShell ? WORTH_OF_COMMANDS : 0.5);
      at = end;
    } else if (line === '' || BADGE.test(line) || POINTER.test(line)) close();
    else {
      if (ITEM.test(line)) close();
      open.push(line);
    }
  }
  close();
  return isLegalText(text) ? [] : blocks;
}

/** A file that is mostly an agreement has no rules for code. */
function isLegalText(text: string): boolean {
  const paragraphs = text.split(/\n\s*\n/);
  const legal = paragraphs.filter((one) => LEGAL.test(one)).length;
  return legal > 3 && legal * 3 > paragraphs.length;
}

function worthOf(text: string, heading: string): number {
  const kind = COMMAND.test(text) ? 2.5 : RULE.test(text) ? 2 : PATHS.test(text) ? 1.5 : 0.25;
  return kind + (USEFUL_HEADING.test(heading) ? 1 : 0);
}

/** A list of commands is long and saves most. */
const WORTH_OF_COMMANDS = 5;
/** Worth less than a rule: prose, and examples of code. */
const MIN_WORTH = 1.5;

/** The blocks that are worth most for their tokens, with their headings, in the order of the text. */
function chooseBlocks(blocks: readonly Block[], room: number, count: CountTokens): string {
  const all = render(blocks);
  if (blocks.length === 0 || (all.length <= room * 16 && count(all) <= room)) return all;
  const best = blocks
    .map((block, at) => ({ block, at, value: block.worth / Math.max(12, count(block.text)) ** 0.5 }))
    .filter(({ block }) => block.worth >= MIN_WORTH)
    .sort((a, b) => b.value - a.value || a.at - b.at);
  const chosen = new Set<Block>();
  for (const { block } of best) {
    chosen.add(block);
    if (count(render(blocks.filter((one) => chosen.has(one)))) > room) chosen.delete(block);
  }
  return render(blocks.filter((one) => chosen.has(one)));
}

/** The end of a paragraph that announces something, such as "For example:". */
const ANNOUNCEMENT = /(?<=[.!?]\s)[^.!?]*:$/;

function render(blocks: readonly Block[]): string {
  const parts: string[] = [];
  let heading = '';
  blocks.forEach(({ text, heading: own, at: number }, at) => {
    if (own !== heading) parts.push(parts.length > 0 ? '\n' : '', own, '\n');
    else if (at > 0) parts.push(ITEM.test(text) && ITEM.test(blocks[at - 1]!.text) ? '' : '\n');
    const isAnnounced = blocks[at + 1]?.at === number + 1;
    parts.push(isAnnounced ? text : text.replace(ANNOUNCEMENT, ''), '\n');
    heading = own;
  });
  return parts.join('').trim();
}

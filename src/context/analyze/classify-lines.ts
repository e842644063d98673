import type { CodeFence } from '../../model/task-analysis.ts';
import { headingKind, isBoilerplateLine, isVersionLine, readHeading } from './boilerplate-lines.ts';
import { type ReadFrame, readFrame } from './read-frame.ts';
import { anyOf } from './word-runs.ts';

// Decides for each line of a task what it is: prose, code, a stack trace, a heading or boilerplate. Patterns are bounded
// and lines limited, so a hostile text cannot take long.

/** Lines of a stack trace between its frames. */
const HEADER = anyOf(
  /^(?:\w{1,80}\s{1,80})?Traceback \(most recent call last\)/,
  /^(?:During handling of the above exception|The above exception was the direct cause)/,
  /^(?:goroutine \d{1,9} \[|stack (?:backtrace|traceback):|Stack trace:|Backtrace:|CallStack \(from )/,
  /^(?:Caused by:|\[cause\]:|Suppressed:|\.\.\. \d{1,6} (?:more|frames|common frames)|--- End of )/,
  /^(?:Exception in thread |Unhandled [Ee]xception|thread '.{0,100}' panicked|note: run with )/,
  /^(?:\*\*\*? .{0,60}(?:Error|exception)|={2,20}\d{1,9}={2,20}ERROR|={3,} ERRORS?)/,
  /^(?:Program received signal|Segmentation fault)/,
);

/** Time stamps and levels of log lines. */
const LOG = anyOf(
  /^\[?\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{1,2}:\d{2}:\d{2}/,
  /^\[?\d{1,2}:\d{2}:\d{2}[\].,]/,
  /^[A-Z][a-z]{2} {1,2}\d{1,2} \d{1,2}:\d{2}:\d{2} /,
  /^\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b[\]: [|]/,
  /^(?:npm|yarn|pnpm) (?:ERR!|error|WARN)/,
  /^[EWIDV]\/[\w.]{1,60}[(:]/,
);

/** Messages of errors: `TypeError: …`, `django.core.FieldError: …`, `error[E0382]: …`, `** (ArgumentError) …`. */
const ERROR_NAME =
  '(?:[A-Z]\\w{0,80}(?:Error|Exception|Warning|Fault|Failure|Interrupt|Panic)|Error|Exception|DoesNotExist|Failed)';
const ERROR = anyOf(
  new RegExp(
    `^(?:Uncaught |Unhandled |Caused by: |fatal |\\[)?\\(?(?:[\\w$]{1,60}[.:]{1,2}){0,8}${ERROR_NAME}\\)?` +
      '(?: \\[\\w{1,60}\\])?(?:: ?\\S|$| \\()',
  ),
  new RegExp(`^\\*\\* \\([\\w.]{0,100}${ERROR_NAME}\\) \\S`),
  /^(?:error|warning|fatal|panic|ERROR|FATAL|Fatal error|\w{1,40} error)(?:\[\w{1,20}\])?: {1,2}\S/,
  /^(?:PHP (?:Fatal error|Warning)|Uncaught [\w\\]{1,80}): {1,2}\S/,
  /^(?:npm ERR!|E {3,6}\S)/,
);

const MAX_LINE = 1_000;

/** Whether a line belongs to a stack trace without being a frame. */
function isTraceHeader(text: string): boolean {
  return text.length <= MAX_LINE && HEADER.test(text);
}

/** Whether a program logged the line. */
function isLogLine(text: string): boolean {
  return text.length <= MAX_LINE && LOG.test(text);
}

/** Whether the line is the message of an error. */
function isErrorLine(text: string): boolean {
  return text.length <= MAX_LINE && ERROR.test(text);
}

/** In characters. A sentence of this length is worth reading, even under a heading such as "Environment". */
const LONG_SENTENCE = 100;

/** The line of code that a trace points to: `---> 42 code`. */
const POINTED_LINE = /^-{1,6}> ?\d/;

const LIST_ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s/;

const BLANK: ClassifiedLine = {
  text: '',
  kind: 'blank',
  hidden: '',
  frame: null,
  isError: false,
  isTraceHeader: false,
};

/** `outside` of a section to skip, or inside one: `marked` ends at the next heading, `bare` also at a blank line. */
type Section = 'outside' | 'marked' | 'bare';

/** Classifies each line. Fences are found on the way, so they are returned as well. */
export function classifyLines(text: string): { lines: ClassifiedLine[]; fences: CodeFence[] } {
  const comments = createCommentReader(text.split('-->').length - 1);
  const fences = createFenceReader();
  const lines: ClassifiedLine[] = [];
  let section: Section = 'outside';
  let before = '';
  let traceIndentation = -1;
  let paragraph: LineKind = 'blank';
  let inList = false;

  /** Recognizes frames, the lines that belong to them, and logs. It is the same inside and outside of fences. */
  function readTrace(
    raw: string,
    trimmed: string,
  ): Pick<ClassifiedLine, 'frame' | 'isError' | 'isTraceHeader'> & { isTrace: boolean } {
    const frame = readFrame(trimmed, before);
    const isHeader = frame === null && isTraceHeader(trimmed);
    const isError = isErrorLine(trimmed);
    const width = indentation(raw);
    const belongs =
      traceIndentation !== -1 && (width > traceIndentation || isError || POINTED_LINE.test(trimmed));
    const isTrace = frame !== null || isHeader || belongs || isLogLine(trimmed);
    if (frame || isHeader) traceIndentation = width;
    else if (!belongs) traceIndentation = -1;
    return { frame, isError, isTraceHeader: isHeader, isTrace };
  }

  for (const raw of (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n')) {
    const whole = raw.trim();
    if (whole === '' && !fences.isOpen && !comments.isOpen && paragraph === 'blank') {
      lines.push(BLANK);
      continue;
    }
    // Inside a fence every line is code, unless it is a trace or a version.
    if (fences.isOpen) {
      if (!fences.add(raw, whole)) {
        lines.push(BLANK);
        traceIndentation = -1;
        continue;
      }
      const { isTrace, ...trace } = readTrace(raw, whole);
      const kind = fenceKind(whole, isTrace || trace.isError, section);
      lines.push({ text: raw, kind, hidden: '', ...trace });
      if (whole !== '') before = whole;
      continue;
    }
    const label = comments.isOpen ? null : fences.open(whole);
    if (label !== null) {
      // Some fences name the file after the language: ```ts title="src/a.ts"
      const file = /[/.]/.test(label) ? label : '';
      lines.push(file === '' ? BLANK : { ...BLANK, text: file, kind: 'code' });
      paragraph = 'blank';
      continue;
    }
    // Take comments out. A line that is blank then may end a section.
    const { seen, hidden } = comments.read(raw);
    const trimmed = seen.trim();
    if (trimmed === '') {
      lines.push(hidden === '' ? BLANK : { ...BLANK, hidden });
      if (hidden === '') {
        if (section === 'bare' && paragraph !== 'blank' && paragraph !== 'heading') section = 'outside';
        if (paragraph !== 'code') paragraph = 'blank';
        traceIndentation = -1;
      }
      continue;
    }
    // Any other line: the first test that matches decides.
    const { isTrace, ...trace } = readTrace(seen, trimmed);
    const heading = isTrace ? null : readHeading(trimmed);
    let kind: LineKind;
    if (isTrace) kind = 'trace';
    else if (heading !== null) {
      const whose = headingKind(heading);
      const marked = /^[#*_<]/.test(trimmed);
      section = whose === 'empty-section' ? (marked ? 'marked' : 'bare') : 'outside';
      kind = whose === 'own' ? 'heading' : 'boilerplate';
    } else if (isBoilerplateLine(trimmed)) kind = 'boilerplate';
    else if (section !== 'outside' && trimmed.length < LONG_SENTENCE) kind = 'boilerplate';
    else if (isIndentedCode(seen, paragraph, inList) || looksLikeCode(trimmed)) kind = 'code';
    else kind = 'prose';
    if (indentation(seen) < 2) inList = LIST_ITEM.test(trimmed);
    paragraph = heading !== null ? 'heading' : kind;
    before = trimmed;
    lines.push({ text: seen, kind, hidden, ...trace });
  }
  return { lines, fences: fences.finish() };
}

function fenceKind(trimmed: string, isTrace: boolean, section: Section): LineKind {
  if (trimmed === '') return 'blank';
  if (isTrace) return 'trace';
  return section !== 'outside' || isVersionLine(trimmed) ? 'boilerplate' : 'code';
}

/** Four blanks make a line code only after an empty line or other code. In a list they only indent. */
function isIndentedCode(seen: string, paragraph: LineKind, inList: boolean): boolean {
  const width = indentation(seen);
  if (width < 4 || (paragraph !== 'blank' && paragraph !== 'code' && paragraph !== 'heading')) return false;
  return (!inList || width >= 8) && !LIST_ITEM.test(seen.trimStart());
}

interface CommentReader {
  /** Splits a line into visible text and comments (`<!-- … -->`), which may go on over lines. */
  read(line: string): { readonly seen: string; readonly hidden: string };
  readonly isOpen: boolean;
}

/** `closings` is the number of `-->` in the text. A comment that is never closed is not a comment. */
function createCommentReader(closings: number): CommentReader {
  let open = false;
  let left = closings;
  return {
    get isOpen() {
      return open;
    },
    read(line) {
      if (!open && !line.includes('<!--')) {
        if (line.includes('-->')) left -= line.split('-->').length - 1;
        return { seen: line, hidden: '' };
      }
      let seen = '';
      let hidden = '';
      let at = 0;
      while (at < line.length) {
        const mark = open ? '-->' : '<!--';
        const next = line.indexOf(mark, at);
        const end = next === -1 ? line.length : next;
        if (open) hidden += `${line.slice(at, end)} `;
        else seen += line.slice(at, end);
        if (next === -1) break;
        at = next + mark.length;
        if (open) left--;
        open = !open && left > 0;
      }
      return { seen, hidden };
    },
  };
}

const OPENING = /^(?:(?:[-*+>]|\d{1,3}[.)])\s+)*(`{3,}|~{3,})([^`]{0,300})$/;

interface FenceReader {
  readonly isOpen: boolean;
  /** Takes a line without indentation. If it opens a fence, returns the text after the marks, else null. */
  open(trimmed: string): string | null;
  /** Takes a line inside a fence; false when it was the closing one. */
  add(raw: string, trimmed: string): boolean;
  /** All fences. One that is never closed runs to the end. */
  finish(): CodeFence[];
}

function createFenceReader(): FenceReader {
  const done: CodeFence[] = [];
  let marks = '';
  let language = '';
  let lines: string[] = [];

  function close(): void {
    if (marks !== '') done.push({ language, text: lines.join('\n') });
    marks = '';
    lines = [];
  }

  return {
    get isOpen() {
      return marks !== '';
    },
    open(trimmed) {
      const first = trimmed.includes('```') || trimmed.includes('~~~') ? OPENING.exec(trimmed) : null;
      if (!first) return null;
      marks = first[1]!;
      const label = first[2]!.trim();
      language = /^[{.]*([\w+#-]*)/.exec(label)![1]!.toLowerCase();
      return label;
    },
    add(raw, trimmed) {
      const isClosing =
        trimmed.startsWith(marks) && trimmed.replaceAll(marks.charAt(0), '') === '' && trimmed !== '';
      if (isClosing) close();
      else lines.push(raw);
      return !isClosing;
    },
    finish() {
      close();
      return done;
    },
  };
}

const PROMPT = anyOf(
  /^(?:>>>|\.\.\.|(?:In|Out) ?\[\d{1,4}\]:|\$ \S|# \$)/,
  /^(?:irb\(|iex[(>]|julia>|scala>|ghci>|mysql>|postgres=#)/,
);
const STATEMENT = anyOf(
  /^import (?:[\w.*{}$, ]{1,120}(?: (?:as|from) .{1,120})?|['"].{1,120}['"]);?$/,
  /^from [\w.]{1,120} import .{1,200}$/,
  /^(?:export )?(?:async )?(?:def|function\*?|func|fn|fun|sub) \w.{0,300}$/,
  /^(?:[a-z]{1,10} ){0,4}(?:class|interface|struct|enum|trait) [\w<>:.]{1,100}[({:<].{0,200}$/,
  /^(?:class|interface|struct|enum|trait|impl|module|namespace) [\w<>:.]{1,100}(?: \{)?$/,
  /^(?:[a-z]{1,10} ){0,4}(?:class|interface|impl) .{1,100} (?:extends|implements|for) .{1,200}\{$/,
  /^class \w{1,80} ?< ?\w.{0,100}$/,
  /^(?:const|let|var|val) [\w{[][^.!?]{0,100}=.{0,300}$/,
  /^#(?:include [<"].{1,120}|(?:define|if|ifdef|ifndef|endif|pragma)\b.{0,200})$/,
  /^(?:using|package|use) [\w.:\\{}, ]{1,160};$/,
  /^require(?:_relative)? ?['"(].{1,120}$/,
  /^@\w[\w.]{0,80}(?:\(.{0,200}\))?$/,
  /^(?:try|else|finally):$/,
  /^for .{1,80} in .{1,200}:$/,
  /^(?:if|elif|while|with|except) (?=.{0,200}[=<>()[\]_.]).{0,200}:$/,
  /^return\b.{0,200}[;)\]]$/,
  /^(?:print|assert|raise|throw|echo|puts)[ (].{1,300}[)\]"';]$/,
  /^<\/?[A-Za-z][\w.-]{0,60}(?: [^<>]{0,300})?\/?>.{0,300}$/,
);
const ASSIGNMENT =
  /^[$@]?[A-Za-z_][\w.$[\]'"-]{0,80}(?:, ?\w{1,40}){0,4}\s?(?::\s?[\w<>[\], |]{1,60})?(?:[-+:]?=|<-)\s?[^=\s]/;
const CALL =
  /^(?:(?:await|yield|return|new|go|defer) )?[$@]?[A-Za-z_][\w.$]{0,120}(?:::\w{1,60}){0,4}\(.{0,400}$/;
const PUNCTUATION = /^[{}()[\];,<>/]+$/;
const ENDING = /(?:;|\{|\}|\):|=>|\},|\),|\],)$/;

/** The number of blanks at the beginning of a line. A tab counts as four. */
function indentation(line: string): number {
  let width = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ' ') width++;
    else if (line[at] === '\t') width += 4;
    else break;
  }
  return width;
}

/** Whether a line without indentation is code, although it is not in a fence. */
function looksLikeCode(text: string): boolean {
  if (text.length > 500 || text === '') return false;
  if (PROMPT.test(text) || PUNCTUATION.test(text) || STATEMENT.test(text)) return true;
  if (/^(?:[-*+>#]|\d{1,3}[.)]) /.test(text)) return false;
  if (/[.!?]$/.test(text) && !/[)\]}]\.$/.test(text)) return false;
  return (
    ASSIGNMENT.test(text) ||
    (CALL.test(text) && /[)\]}{;:(]$/.test(text)) ||
    (ENDING.test(text) && /[=({<:]/.test(text))
  );
}

/** The class of a line, from its own text and its neighbours. Title and lead are chosen later. */
type LineKind = 'blank' | 'heading' | 'prose' | 'code' | 'trace' | 'boilerplate';

/** A line with everything that was found out about it. */
export interface ClassifiedLine {
  /** Without HTML comments. */
  readonly text: string;
  readonly kind: LineKind;
  /** The HTML comments, which readers of the task do not see. */
  readonly hidden: string;
  readonly frame: ReadFrame | null;
  /** It is the message of an error. */
  readonly isError: boolean;
  /** It begins a stack trace, or comes between two traces of a chain. */
  readonly isTraceHeader: boolean;
}

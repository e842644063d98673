import type { CodeFence } from '../../model/task-analysis.ts';
import { isBoilerplateLine, isVersionLine } from './boilerplate-lines.ts';
import type { ClassifiedLine, LineKind } from './classified-line.ts';
import { createFenceReader } from './code-fence-reader.ts';
import { indentation, looksLikeCode } from './code-lines.ts';
import { createCommentReader } from './hidden-comments.ts';
import { readFrame } from './read-frame.ts';
import { headingKind, readHeading } from './template-headings.ts';
import { isErrorLine, isLogLine, isTraceHeader } from './trace-lines.ts';

/** Whoever writes a sentence of this length under "Environment" has something to say. */
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

/** `outside`: no empty section; `marked` ones end at the next heading, `bare` ones at a blank line as well. */
type Section = 'outside' | 'marked' | 'bare';

/** Says of each line what it is; fences come along because they are found on the way. */
export function classifyLines(text: string): { lines: ClassifiedLine[]; fences: CodeFence[] } {
  const comments = createCommentReader(text.split('-->').length - 1);
  const fences = createFenceReader();
  const lines: ClassifiedLine[] = [];
  let section: Section = 'outside';
  let before = '';
  let traceIndentation = -1;
  let paragraph: LineKind = 'blank';
  let inList = false;

  /** Frames, the lines that belong to them, and logs; the same inside and outside of fences. */
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
      // behind the language some write the file: ```ts title="src/a.ts"
      const file = /[/.]/.test(label) ? label : '';
      lines.push(file === '' ? BLANK : { ...BLANK, text: file, kind: 'code' });
      paragraph = 'blank';
      continue;
    }
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

/** Four blanks make code of a line only behind an empty line or other code; in a list they are just a list. */
function isIndentedCode(seen: string, paragraph: LineKind, inList: boolean): boolean {
  const width = indentation(seen);
  if (width < 4 || (paragraph !== 'blank' && paragraph !== 'code' && paragraph !== 'heading')) return false;
  return (!inList || width >= 8) && !LIST_ITEM.test(seen.trimStart());
}

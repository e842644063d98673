import { anyOf, isWordUnit } from './word-runs.ts';

// Lines that say nothing about the code: what issue templates, bots and politeness add to a task.

/** A line of dashes or other marks. */
const RULE = /^[-=_*~#\s|:+]{3,}$/;
const CHECK_BOX = /^(?:[-*+]|\d{1,2}[.)])? ?\[[ xX✓]?\] /;

/** A line with nothing but pictures and tags. */
const IMAGE = new RegExp(
  '^(?:!\\[[^\\]]{0,300}\\]\\([^)]{0,600}\\)|\\s' +
    '|</?(?:img|br|hr|p|div|details|summary|sub|sup|kbd|a|video|table|tr|td|th|tbody|thead)\\b[^>]{0,900}>){1,12}$',
  'i',
);

/** Lines at the end of a commit message, in lower case: people and issues. */
const TRAILER = anyOf(
  /^(?:signed-off|co-authored|reviewed|acked|tested|reported|suggested|pulled|approved|helped|backported)[- ]by: /,
  /^(?:assisted|generated)[- ]by: /,
  /^(?:change-id|differential revision|reviewed-on|cc|pr-url|pull[- ]request|git-svn-id|v8-commit|reviewers): /,
  /^(?:auto-submit|commit-queue|(?:closes|partial|related)-bug): /,
  /^\(?cherry[- ]picked from .{0,80}$/,
  new RegExp(
    '^\\(?(?:bug|closes|closed|fixes|fixed|resolves|refs?|see|see also|related(?: to)?|issue|link|part of' +
      '|follow[- ]up (?:to|of)):? {0,2}(?:issue |pr |pull request )?' +
      '(?:#\\d|gh-\\d|https?:|[a-z]{2,12}-\\d+\\b|\\d{3,}\\b)[^a-z]{0,20}.{0,80}$',
  ),
);

/** Greetings, thanks and confirmations that templates ask for, in lower case. */
const POLITE = anyOf(
  /^(?:hi|hello|hey|dear|hallo|bonjour|hola|你好|good (?:morning|day|evening))(?:[ ,!]{1,2}(?:there|@[\w-]{1,40}))?[ ,!.]{0,3}$/,
  /^(?:hi|hello|hey|dear|hallo|bonjour|hola)[ ,!]{1,2}(?:all|everyone|everybody|team|folks|guys|zusammen)[ ,!.]{0,3}$/,
  /^(?:many thanks|thanks|thank you|cheers|merci|danke|gracias|谢谢)(?: (?:in advance|for .{1,60}))?[ ,!.:)]{0,4}$/,
  /^(?:thanks|thank you|danke)(?: (?:all|everyone|again|a lot|(?:so|very) much|@[\w-]{1,40})){1,2}[ ,!.:)]{0,4}$/,
  /^(?:best |kind )?regards[ ,!.]{0,3}$/,
  /^i(?: have|'ve|’ve) (?:searched|read|checked|looked|verified|confirmed|tried) .{0,160}(?:issues?|duplicates?)\b/,
  /^i(?: have|'ve|’ve) (?:read|checked|looked|searched) .{0,160}(?:docs|documentation|guide|guidelines|readme|faq)\b/,
  /^(?:this issue|please) .{0,60}(?:template|contributing|duplicate)/,
  /^(?:_?no response_?|n\/a|none|not applicable|tbd)$/,
  /^(?:\/?cc @|\(last modified by |for reference, i'm using\b)/,
);

/** Keys of system information, in lower case: `- **OS**: Linux`. */
const SYSTEM_KEYS = [
  '[\\w.+#/ -]{0,40}?(?:versions?|ver|release|build)',
  'os|os ?/.{1,20}|o\\.s\\.|operating systems?(?: and version)?|os-release|kernel|distribution|platform',
  'browsers?|browser name and version.{0,40}|browser & version|chrome|firefox|safari|edge|opera',
  'device|desktop|smartphone|screen resolution|machine|processor|arch(?:itecture)?|cpu|gpu|ram|memory|byteorder',
  'shell|terminal|ide|editor|locale|lang|lc_all|package manager|affected channels|commit|python-bits',
  'node|node\\.js|nodejs|npm|yarn|pnpm|python|java|jdk|jvm|ruby|php|go|rustc|cargo|gcc|clang|cmake|docker',
];
const SYSTEM_KEY = new RegExp(
  `^(?:[-*+•] )?[*_\`]{0,3}(?:${SYSTEM_KEYS.join('|')})[*_\`]{0,3} ?(?:\\([^)]{0,40}\\))?[*_\`]{0,3} ?[:=|]`,
);

/** Parts of a version line: `numpy==1.19.0`, `├── tokio v1.6.0`, `| react | 18.2.0 |`, `3.4.37`. */
const VERSION = 'v?\\d{1,6}(?:\\.(?:\\d{1,8}|x)){1,4}[\\w.+~-]{0,60}';
const PACKAGE = '(?:\\*\\*)?@?[\\w./@+-]{1,60}(?: [\\w.-]{1,30}){0,2}(?:\\*\\*)?';
const BETWEEN = '(?:==|[:=@]{1,2} ?|\\s{1,40}v?|\\s*\\|\\s*)';
const AFTER = '(?: \\(\\*\\)| \\([^)]{0,60}\\)|\\s*\\||\\s{2,40}\\S{1,60})?';
const VERSION_LINE = anyOf(
  new RegExp(`^[-*+•│├└─|\\s]{0,40}${PACKAGE}${BETWEEN}\\(?${VERSION}\\)?${AFTER}$`),
  new RegExp(`^[-*+•\\s]{0,10}${VERSION}$`),
  /^(?:INSTALLED VERSIONS|pip freeze|pip list)\b/,
);

const MAX_LINE = 400;
const MAX_SYSTEM_LINE = 160;

/** Whether a line says nothing about the code: check boxes, versions, thanks, trailers, pictures. */
export function isBoilerplateLine(text: string): boolean {
  if (text.length > MAX_LINE) return false;
  const lower = text.toLowerCase();
  return (
    RULE.test(text) ||
    CHECK_BOX.test(text) ||
    TRAILER.test(lower) ||
    POLITE.test(lower) ||
    (text.length <= MAX_SYSTEM_LINE && SYSTEM_KEY.test(lower)) ||
    isVersionLine(text) ||
    IMAGE.test(text)
  );
}

/** Whether a line lists a version. Such lines are also found in fences. */
export function isVersionLine(text: string): boolean {
  return text.length <= MAX_SYSTEM_LINE && VERSION_LINE.test(text);
}

/** Headings of issue templates. The heading says nothing, but the text below it may. */
const HEADINGS = new Set(
  `description|short description|detailed description|feature description|summary|overview|background|context
  |motivation|details|component|reason|general information|impact|severity|priority|analysis|root cause|cause|tl;dr
  |describe the bug|describe the issue|describe the feature|describe the problem|bug description|bug report|bug|the bug
  |bug summary|issue|issue description|issue summary|problem|the problem|problem description|problem statement
  |feature request|use case|use cases|ask your question|what happened|what went wrong|notes|other comments
  |additional|additional context|additional information|additional details|additional notes|additional info
  |additional comments|extra information|anything else|other information|references|related|related issues|see also
  |steps|steps to reproduce|how to reproduce|to reproduce|reproduce|reproduction|reproduction steps|repro|repro steps
  |steps to reproduce the problem|steps to reproduce the issue|steps to reproduce the behavior|steps/code to reproduce
  |steps/code to reproduce bug|code to reproduce|code for reproduction|code sample|code example|sample code
  |sample code to reproduce|reproducible example|minimal reproducible example|minimal reproduction|minimal example
  |example|mcve|mve|link to minimal reproduction|link to reproduction|reproduction link|link to demo|demo|link|links
  |expected|expected behavior|expected behaviour|expected result|expected results|expected output|expected outcome
  |actual|actual behavior|actual behaviour|actual result|actual results|actual output|actual outcome|current behavior
  |current behaviour|current result|observed|observed behavior|observed results|screenshots|screenshot|screencast|images
  |url, screen shot, or codepen exhibiting the issue|logs|log|log output|relevant log output|output|traceback
  |full traceback|stack trace|stacktrace|backtrace|error|error message|error output|solution|proposed solution
  |possible solution|suggested solution|possible fix|suggested fix|proposal|proposed change|proposed changes|changes
  |describe the solution you'd like|describe alternatives you've considered|alternatives|alternatives considered
  |workaround|workarounds|test plan|test case|testing|tests|release note|release notes|breaking changes|code of conduct
  |problembeschreibung|beschreibung|erwartetes verhalten|tatsächliches verhalten|schritte zur reproduktion
  |comportement attendu|comportement actuel|étapes pour reproduire|comportamiento esperado|pasos para reproducir
  |描述|问题描述|复现步骤|期望结果|实际结果|重现步骤|预期行为|再現手順|期待する動作|実際の動作|概要`
    .split('|')
    .map((heading) => heading.trim()),
);

/** Headings whose whole section says nothing about the code. */
const EMPTY_SECTION = anyOf(
  /^(?:your |my |the |other |affected |test )?(?:environments?|versions?|setup|platforms?|browsers?|system)$/,
  /^(?:your |the )?(?:system ?info(?:rmation)?|system details|config details|os|operating system|browser info)$/,
  /^(?:desktop|smartphone|device|hardware|software versions?|package versions?|installed versions|dependencies)$/,
  /^(?:check ?list|preflight checklist|prerequisites|pre-submission checks?|before submitting|validations?)$/,
  /^(?:contribution|willingness to contribute|are you willing.{0,60}|would you like to.{0,60})$/,
  /^(?:versions? (?:of|and) .{0,60}|[\w.+-]{1,30}(?: [\w.+-]{1,20})? versions?|versions? information)$/,
  /^(?:your )?environment .{1,40}$/,
  /^(?:system information|output of|desktop \(|smartphone \().{0,80}$/,
  /^(?:umgebung|environnement|entorno|环境|環境)$/,
);

/** Questions that templates use as headings. */
const TEMPLATE_QUESTION = new RegExp(
  '^(?:what|which|how|where|when|why|do|does|did|are|is|have|has|would|will|can|could|if possible|please|describe' +
    '|provide|tell us|explain|any)\\b.{0,120}(?:\\?|you|your|us|bug|issue|problem|behaviou?r|steps)',
);

const MAX_HEADING = 160;

/** A heading, or a line that is used as one, in lower case and without marks; null for any other line. */
export function readHeading(text: string): string | null {
  if (text.length > MAX_HEADING) return null;
  const marked =
    /^#{1,6}\s{1,10}(.{1,150})$/.exec(text) ??
    /^\*\*([^*]{1,120})\*\*:?$/.exec(text) ??
    /^__([^_]{1,120})__:?$/.exec(text) ??
    /^(?:<details> ?)?<(?:summary|h\d|b)>([^<]{1,120})</.exec(text);
  const bare = plainHeading(marked?.[1] ?? text);
  if (marked) return bare;
  return HEADINGS.has(bare) || (text.endsWith(':') && EMPTY_SECTION.test(bare)) ? bare : null;
}

function plainHeading(text: string): string {
  const lower = text.toLowerCase().replaceAll('’', "'");
  let start = 0;
  let end = lower.length;
  while (start < end && !isWordUnit(lower.charCodeAt(start))) start++;
  while (end > start && !isWordUnit(lower.charCodeAt(end - 1)) && !")'?".includes(lower[end - 1]!)) end--;
  return lower.slice(start, end).replace(/\s+/g, ' ');
}

/** `template`: from a template, with text to read below. `empty-section`: with nothing to read. `own`: the author's. */
type HeadingKind = 'template' | 'empty-section' | 'own';

/** Tells headings of a template from those of the author. */
export function headingKind(heading: string): HeadingKind {
  const bare = heading
    .replace(/\s*\((?:optional|required|if any|if applicable|if relevant)\)$/, '')
    .replace(/[?:]+$/, '');
  if (EMPTY_SECTION.test(bare)) return 'empty-section';
  if (HEADINGS.has(bare) || HEADINGS.has(heading)) return 'template';
  return TEMPLATE_QUESTION.test(heading) ? 'template' : 'own';
}

import { anyOf } from './any-of.ts';

const RULE = /^[-=_*~#\s|:+]{3,}$/;
const CHECK_BOX = /^(?:[-*+]|\d{1,2}[.)])? ?\[[ xX✓]?\] /;

const IMAGE = new RegExp(
  '^(?:!\\[[^\\]]{0,300}\\]\\([^)]{0,600}\\)|\\s' +
    '|</?(?:img|br|hr|p|div|details|summary|sub|sup|kbd|a|video|table|tr|td|th|tbody|thead)\\b[^>]{0,900}>){1,12}$',
  'i',
);

/** Lines at the end of a commit message, in lower case: who, and which issue. */
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

/** Greetings, thanks and what templates ask to confirm, in lower case. */
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

/** `- **OS**: Linux`, in lower case. */
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

/** `numpy==1.19.0`, `├── tokio v1.6.0`, `| react | 18.2.0 |`, `3.4.37`. */
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

/** A line that says nothing about the code by itself: check boxes, versions, thanks, trailers, pictures. */
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

/** A line of a version listing, which may also stand in a fence. */
export function isVersionLine(text: string): boolean {
  return text.length <= MAX_SYSTEM_LINE && VERSION_LINE.test(text);
}

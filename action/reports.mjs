// The Markdown of a summary. Names of files are made by whoever opened the pull request: they stand in code spans that
// they cannot leave, so that they mention nobody, link nowhere and hide nothing.

/** A comment may have 65,536 characters. */
const MAX_COMMENT = 60_000;
const MAX_FILES = 40;
const MAX_NAME = 200;

/** Everything that is not shown, or changes how the rest is shown. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name as a code span. */
function code(name) {
  const shown = [
    ...name.replace(HIDDEN, (one) => `⟨U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`),
  ];
  const text = shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME).join('')}...` : shown.join('');
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 || /^ | $/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

function number(value) {
  return value.toLocaleString('en-US');
}

/** Says in one sentence whether the change fits. */
export function budgetLine({ isWithin, changeTokens, isAtLeast, budget }) {
  const tokens = `${isAtLeast ? 'more than ' : ''}${number(changeTokens)} tokens`;
  return isWithin
    ? `The change has ${tokens} and fits into the budget of ${number(budget)}.`
    : `The change has ${tokens} and does not fit: a package of ${number(budget)} tokens has room for ${number(Math.floor(budget / 2))} of a change.`;
}

/** The summary of a package: how much, the files in it, and those that had no room. */
export function packageReport(pack, budget) {
  const shown = pack.items.filter(({ form }) => form !== 'mention');
  return comment('package', [
    '### Context package',
    '',
    `${files(shown.length)}, ${number(pack.tokenCount)} of ${number(pack.tokenBudget)} tokens. ${budgetLine(budget)}`,
    '',
    ...(shown.length > 0 ? ['| file | form | tokens |', '|---|---|---:|'] : []),
    ...limited(shown, ({ path, form, tokens }) => `| ${cell(path)} | ${form} | ${number(tokens)} |`),
    ...warnings(pack),
  ]);
}

/** The summary of an impact: the changed files, then the files that may feel it. */
export function impactReport(impact, budget) {
  const group = (title, list) =>
    list.length === 0
      ? []
      : [`**${title}** (${list.length})`, '', ...limited(list, (path) => `- ${code(path)}`), ''];
  return comment('impact', [
    '### Impact',
    '',
    budgetLine(budget),
    '',
    ...group('Changed', impact.changed),
    ...group('Deleted', impact.deleted),
    ...group('Tests of what was changed', impact.tests),
    ...group('Uses what was changed', impact.users),
    ...(impact.tests.length === 0 && impact.changed.length > 0
      ? ['No test was found that is about a changed file.']
      : []),
  ]);
}

/** The summary of an evaluation. */
export function evalReport({ summary, head }, minRecall) {
  const percent = (share) => `${Math.round(share * 100)} %`;
  const rows = [
    ['all changed files first', 'within1'],
    ['all among the first 5', 'within5'],
    ['all among the first 10', 'within10'],
    ['changed files among the first 10', 'recall10'],
  ];
  return comment('eval', [
    '### How well past commits are found',
    '',
    `${number(summary.commits)} commits before ${code(head.slice(0, 12))}, each asked for by its message.`,
    '',
    '| | Loadout | plain BM25 |',
    '|---|---:|---:|',
    ...rows.map(
      ([title, key]) => `| ${title} | ${percent(summary.ranking[key])} | ${percent(summary.plain[key])} |`,
    ),
    ...(minRecall === null ? [] : ['', `The last row must be at least ${percent(minRecall)}.`]),
  ]);
}

/** The report when the change has no file to show: it only takes files away, or others than text. */
export function nothingReport(mode, gone) {
  return comment(mode, [
    '### Loadout',
    '',
    'After this change there is no changed file that Loadout reads.',
    ...(gone.length > 0 ? ['', `Deleted: ${files(gone.length)}`, ''] : []),
    ...limited(gone, (path) => `- ${code(path)}`),
  ]);
}

/** The mark lets a workflow find and replace its own comment. */
function comment(mode, lines) {
  const text = `<!-- loadout: ${mode} -->\n${lines.join('\n').trimEnd()}\n`;
  return text.length <= MAX_COMMENT ? text : `${text.slice(0, MAX_COMMENT)}\n...\n`;
}

function limited(list, line) {
  const more = list.length - MAX_FILES;
  return [...list.slice(0, MAX_FILES).map(line), ...(more > 0 ? ['', `... and ${files(more)} more`] : [])];
}

/** A bar ends a cell even inside a code span. */
const cell = (path) => code(path).replaceAll('|', '\\|');

function warnings({ diagnostics }) {
  const codes = new Set(diagnostics.map((one) => one.code));
  return codes.has('secret-redacted') ? ['', 'Secrets in these files are redacted.'] : [];
}

function files(count) {
  return `${number(count)} ${count === 1 ? 'file' : 'files'}`;
}

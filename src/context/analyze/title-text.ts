const TAGS = [
  'bug|bugs|bug report|issue|problem|crash|regression|fix|fixed|hotfix|revert|security',
  'feature|feature request|feat|request|enhancement|improvement|proposal|rfc|suggestion|idea|ux',
  'question|help|help wanted|discussion|wip|draft|task|chore|minor|perf|performance|refactor|tests?',
  'docs?|documentation|typo|fehler|错误|问题|バグ',
].join('|');
const TAG = new RegExp(
  `^(?:\\[(?:${TAGS})\\]|【(?:${TAGS})】|\\((?:${TAGS})\\)|(?:${TAGS}))\\s?(?::|：|(?<=[\\])】]))\\s*`,
  'i',
);
const COMMIT_TYPE =
  /^(feat|fix|docs?|tests?|refactor|perf|chore|style|build|ci|revert|feature|bugfix)(?:\(([^()]{1,80})\))?!?:\s+/i;

export interface TitleText {
  /** Without Markdown marks, tag and commit type. */
  readonly title: string;
  /** The type of a conventional commit (`fix`) or the tag of an issue (`bug`), lower case; empty if none. */
  readonly label: string;
  /** The scope of a conventional commit: it is not part of the title, but it names a place. */
  readonly scope: string;
}

/** Takes a title line apart: `fix(store): close the file` is about `store`, and says what to do by itself. */
export function readTitle(line: string): TitleText {
  let title = line
    .slice(0, 2_000)
    .trim()
    .replace(/^(?:#{1,6}\s+|>\s?|[-*+]\s+|=+\s+)+/, '')
    .replace(/\s+(?:#{1,6}|=+)$/, '')
    .replace(/^\*\*(.{1,400})\*\*$/, '$1')
    .trim();
  const labels: string[] = [];
  let scope = '';
  // "[Bug]: [docs] fix(x): y" has three; more are no tags
  for (let round = 0; round < 3; round++) {
    const commit = COMMIT_TYPE.exec(title);
    const tag = commit ?? TAG.exec(title);
    if (!tag || tag[0].length === title.length) break;
    labels.push(
      (commit ? commit[1]! : tag[0])
        .toLowerCase()
        .replace(/[^\p{L} ]/gu, '')
        .trim(),
    );
    if (commit?.[2]) scope = commit[2];
    title = title.slice(tag[0].length).trim();
  }
  return { title, label: labels.join(' '), scope };
}

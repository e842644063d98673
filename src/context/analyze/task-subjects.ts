import type { TaskAction, TaskAnalysis } from '../../model/task-analysis.ts';
import { anyOf } from './word-runs.ts';

// How much a task is about tests, documentation or examples. The ranking lowers such files unless the task asks for them.

/** Patterns that speak for a subject, and how strongly, 0..1. */
type Evidence = readonly (readonly [pattern: RegExp, share: number])[];

/** A verb and, at most 30 characters later in the same sentence, a thing: `add more unit tests`. */
function wish(verbs: string, things: string): RegExp {
  return new RegExp(`\\b(?:${verbs})\\b[^.\\n]{0,30}\\b(?:${things})\\b`, 'i');
}

const CHANGE = 'add|write|create|improve|extend|missing|update|fix|remove|new';
const FAILING_TESTS = anyOf(
  /\b(?:test suite|unit tests?|tests?)(?: \w{1,12}){0,2} fail(?:s|ing|ed|ures?)?\b/i,
  /\bfailing tests?\b|\btest failures?\b/i,
);
const PLACES =
  'ci|on (?:windows|mac\\w{0,4}|linux|master|main|python|node|arm\\w{0,4}|32[- ]bit|big[- ]endian)';

const TESTS: Evidence = [
  [
    wish(
      `${CHANGE}|increase|need|more|port|move|delete|enable|disable|skip|refactor`,
      'tests?|specs?|testing',
    ),
    1,
  ],
  [wish(`${CHANGE}|increase|need|more`, 'test cases?|test coverage|unit-tests?'), 1],
  [wish('flaky|flakey|intermittent|brittle', 'tests?|specs?|ci|suite'), 1],
  [wish('tests?', 'flaky|flakey|flake|intermittently'), 1],
  [
    new RegExp(`\\btests?\\b[^.\\n]{0,40}\\bfail(?:s|ing|ed|ures?)?\\b[^.\\n]{0,60}\\b(?:${PLACES})\\b`, 'i'),
    0.8,
  ],
  [FAILING_TESTS, 0.6],
  [/\b(?:cover|test) [^.\n]{0,60}\b(?:with|by) (?:unit )?tests\b|\btest coverage\b/i, 0.8],
  [
    /(?:编写|添加|增加|补充)[^。]{0,12}测试|テストを(?:追加|書)|\btests? (?:hinzufügen|schreiben|ergänzen)\b/i,
    1,
  ],
];

const DOCUMENTATION =
  'docs?|documentation|docstrings?|readme|changelog|tutorials?|guides?|manual|faq|man ?pages?';

const DOCS: Evidence = [
  [wish(`${CHANGE}|correct|clarify|outdated|wrong|incorrect|broken|rewrite|typos?`, DOCUMENTATION), 1],
  [
    wish(
      DOCUMENTATION,
      'is|are|should|says?|states?|mentions?|missing|outdated|wrong|incorrect|unclear|link',
    ),
    0.5,
  ],
  [/\btypos?\b|^document\b|\bbroken links? (?:in|to|on)\b/i, 0.8],
  [/文档|ドキュメント|\bdokumentation\b|\bdocumentación\b/i, 0.7],
];

const EXAMPLES: Evidence = [
  [wish(`${CHANGE}|broken|outdated`, 'examples?|samples?|demos?|showcases?|playground'), 1],
  [
    wish('examples?|demos?', 'fails?|crash(?:es)?|broken|outdated|folder|directory|app|project|no longer'),
    0.6,
  ],
];

/** Labels of a title or commit that name the subject. */
const LABELS: Readonly<Record<'tests' | 'docs' | 'examples', RegExp>> = {
  tests: /\btests?\b/,
  docs: /\b(?:docs?|documentation|typo)\b/,
  examples: /\b(?:examples?|demo)\b/,
};

/** The first paragraph counts less than the title: it also mentions things that should not change. */
const LEAD_SHARE = 0.4;

function share(evidence: Evidence, text: string): number {
  return Math.max(0, ...evidence.map(([pattern, value]) => (pattern.test(text) ? value : 0)));
}

/** How much the task asks to change tests, documentation and examples, 0..1. Pasted code and logs do not count. */
export function taskSubjects(
  title: string,
  label: string,
  lead: string,
  action: TaskAction | null,
): TaskAnalysis['about'] {
  const about = (subject: 'tests' | 'docs' | 'examples', evidence: Evidence): number =>
    LABELS[subject].test(label)
      ? 1
      : Math.max(share(evidence, title.slice(0, 400)), LEAD_SHARE * share(evidence, lead.slice(0, 1_000)));
  return {
    tests: action === 'test' ? 1 : about('tests', TESTS),
    docs: action === 'document' ? 1 : about('docs', DOCS),
    examples: about('examples', EXAMPLES),
  };
}

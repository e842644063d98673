import type { TaskAction } from '../../model/task-analysis.ts';
import { anyOf, wordRuns } from './word-runs.ts';

// The action that a task asks for: implement, fix, refactor, test, document, review or explain. Only the title and the first
// paragraph decide.

/** Complaints. They ask for a fix, even without the word. */
const SYMPTOM = anyOf(
  /\b(?:does|do|did|is|are|was|were|should|can|could|will|would|has|have)(?:n't|n’t| not|nt)\b/i,
  /\b(?:cannot|fail(?:s|ed|ing|ure)?|broken|breaks|broke|crash(?:es|ed|ing)?|hangs?|deadlock|freezes?|panics?|flaky)\b/i,
  /\b(?:wrong(?:ly)?|incorrect(?:ly)?|unexpected(?:ly)?|invalid|missing|misleading|inconsistent|ignored|duplicated?)\b/i,
  /\b(?:errors?|exceptions?|bugs?|regression|leaks?|overflow|race condition|undefined|throws?|raises?|loses?|lost)\b/i,
  /\b(?:no longer|stopped working|not working)\b/i,
  /\b(?:fehler|falsch|kaputt|abst(?:ü|ue)rz\w{0,6}|erreur|plante|falla|roto)\b/i,
);

/** Complaints about what a thing does. "Report errors" and "Show failed jobs" are not complaints. */
const FAILING = anyOf(
  /\b(?:does|do|did|is|are|was|were|can|will|has|have)(?:n't|n’t| not|nt)\b|\b(?:cannot|no longer)\b/i,
  /\b(?:fails|failing|crashes|hangs|breaks|broken|wrong|incorrect|throws|raises|loses|ignored|missing)\b/i,
);

const ASKS =
  '\\b(?:add|write|create|improve|extend|missing|increase|need|flaky|fix(?:ing)?|schreibe|ajouter|añadir|escribir)\\b.{0,50}';
const ASKS_TESTS = new RegExp(
  `${ASKS}\\b(?:unit[- ]?tests?|tests?|test cases?|coverage|specs?|pruebas)\\b`,
  'i',
);
const ASKS_DOCS = anyOf(
  new RegExp(
    `${ASKS}\\b(?:docs?|documentation|docstrings?|readme|changelog|typos?|dokumentation|documentación)\\b`,
    'i',
  ),
  /^(?:update|improve|clarify|correct) .{0,40}\b(?:docs?|documentation|docstrings?|readme|changelog|comments?)\b/i,
  /\btypos? in\b/i,
);
const REVIEW = anyOf(
  /\b(?:code|security|design|architecture|peer|pr|pull request) review\b/i,
  /\breview (?:of|the|this|my|our|all)\b/i,
  /^check\b.{1,80}\bfor (?:\w+ )?(?:bugs?|problems?|issues?|errors?|mistakes?|vulnerabilities|flaws?)\b/i,
);
/** Forms of the verbs that change a file. */
const CHANGING =
  '(?:chang|modif|edit|alter|touch|writ|implement|fix|refactor|commit|creat|chang|updat|delet|remov)(?:e|y|es|ing|ying)?';
/** Words for all files. "Do not change the API" still asks to change the rest. */
const EVERYTHING =
  '(?:anything|any(?: \\w+)? ?(?:code|files?|things?)|(?:the |any )?(?:source )?(?:code|codebase|files?|sources?|repo(?:sitory)?))';
/** Requests to change nothing at all. */
const READ_ONLY = anyOf(
  new RegExp(
    `\\b(?:do not|don['’]t|never|without|must not|should not|please not) (?:you )?(?:ever )?${CHANGING} ${EVERYTHING}\\b`,
    'i',
  ),
  new RegExp(`\\b(?:do not|don['’]t|without) ${CHANGING}(?=\\s*(?:[.!;]|$))`, 'i'),
  /\b(?:make|making|with|apply|no need (?:for|of)) (?:no|any|without)(?: code)? (?:changes|edits|modifications)\b/i,
  /\b(?:do not|don['’]t) make (?:any )?(?:code )?(?:changes|edits)\b/i,
  /^\W*read[- ]only\b|\bread[- ]only (?:task|investigation|exploration|analysis|review)\b/i,
  /\bändere nichts\b|\bnichts (?:zu )?ändern\b|\bsans rien (?:modifier|changer)\b|\bne (?:modifie|change)[sz]? rien\b/i,
  /\bsin (?:cambiar|modificar) nada\b|\bno (?:cambies|modifiques) nada\b|不要(?:修改|改动|更改)|変更しない/i,
);
/** Requests for an answer in words, not for a change. */
const TELLING = anyOf(
  /^(?:give|provide|write|create)(?: (?:me|us))? (?:an?|the) (?:\w+ )?(?:overview|summary|explanation|walkthrough|outline)\b/i,
  /^(?:show|tell|give|walk)(?: (?:me|us))\b/i,
  /^(?:check|see|report|verify|list|show|say)(?: (?:me|us|back|on))* (?:whether|if|where|which|what|who|why|how|all|every|the files)\b/i,
);
/** A request for a change after a question: "find the leak and fix it". */
const THEN_CHANGES =
  /(?:\band|\bthen|,|;)\s+(?:then\s+)?(?:please\s+)?(fix|repair|resolve|correct|implement|add|refactor|rename|remove|replace|rewrite|simplify|extract|document)\b/i;
/** A sentence that forbids something. Its words do not report a problem. */
const FORBIDDEN = /(?:^|[.!?;:\n]\s*)(?:please )?(?:do not|don['’]t|never)\b[^.!?;\n]*/gi;
/** Words in front of the verb of a request. */
const OPTIONAL_START = new Set(
  'please we you i let s can could should would need want to try the bitte kannst du peux tu'.split(' '),
);
/** Of the first paragraph. Later sentences rarely say what to do. */
const MAX_SENTENCES = 6;

/** The parts of a task that decide about its action. */
interface ActionEvidence {
  readonly title: string;
  /** Tag or commit type of the title. */
  readonly label: string;
  readonly lead: string;
  readonly hasTraceOrError: boolean;
}

/**
 * The action of the task. The first of these decides: the label, a request to change nothing, the verb of the title, a
 * complaint, the first paragraph. Null when none of them says.
 */
export function taskAction({ title, label, lead, hasTraceOrError }: ActionEvidence): TaskAction | null {
  const labelled = label
    .split(' ')
    .map((word) => ACTION_OF_LABEL.get(word))
    .find((action) => action !== undefined);
  const opening = openingOf(title);
  const isReview = REVIEW.test(title) && (opening === null || opening.isWeak || opening.action === 'review');
  // "docs: fix the link" is about documentation, but "[Feature] write tests for x" is about tests.
  if (labelled && labelled !== 'implement') return labelled;
  if (READ_ONLY.test(title) || READ_ONLY.test(lead))
    return isReview || opening?.action === 'review' ? 'review' : 'explain';
  if (opening?.isReading) return changeAfterReading(title) ?? 'explain';
  const action = opening?.action ?? null;
  if (action === 'fix' && ASKS_DOCS.test(title)) return 'document';
  if (action !== 'refactor' && action !== 'explain' && ASKS_TESTS.test(title)) return 'test';
  if (action !== 'explain' && ASKS_DOCS.test(title)) return 'document';
  if (isReview) return 'review';
  if (labelled) return action ?? labelled;
  if (/^\W*(?:do not|don['’]t|never)\b/i.test(title)) return 'fix';
  const isComplaint = hasTraceOrError || complains(title);
  // "Test runner crashes" and "Document upload fails" begin with a noun.
  if (opening?.isWeak && (hasTraceOrError || FAILING.test(title))) return 'fix';
  if (action && action !== 'explain') return action;
  if (action === 'explain' && !hasTraceOrError) return action;
  if (isComplaint) return 'fix';
  const fragment = ACTION_OF_FRAGMENT.find(([text]) => title.includes(text) || lead.includes(text));
  if (fragment) return fragment[1];
  return continuedAction(lead) ?? (complains(lead) ? 'fix' : null);
}

function complains(text: string): boolean {
  return SYMPTOM.test(text.replace(FORBIDDEN, ' '));
}

/** The change that follows a request to read: "Find the race and fix it". */
function changeAfterReading(sentence: string): TaskAction | null {
  if (/\band (?:then )?(?:write|add) .{0,40}\btests?\b/i.test(sentence)) return 'test';
  const verb = THEN_CHANGES.exec(sentence)?.[1];
  return verb === undefined ? null : (ACTION_OF_VERB.get(verb.toLowerCase()) ?? null);
}

/** The first sentence of a paragraph that says what to do. */
function continuedAction(lead: string): TaskAction | null {
  for (const sentence of lead.slice(0, 2_000).split(/(?<=[.!?。])\s+|\n+/, MAX_SENTENCES)) {
    const opening = openingOf(sentence);
    if (opening?.isReading) return changeAfterReading(sentence) ?? 'explain';
    if (opening && !opening.isWeak && opening.action !== 'explain') return opening.action;
  }
  return null;
}

/** How a sentence begins. */
interface Opening {
  readonly action: TaskAction;
  /** It asks to read and to report, without a question mark. */
  readonly isReading: boolean;
  /** The verb may also be a noun, so a complaint is stronger. */
  readonly isWeak: boolean;
}

/** The verb that a sentence begins with, after "please", "we should" or the name of a place. */
function openingOf(sentence: string): Opening | null {
  const start = sentence.slice(0, 300).replace(/^[\w./ `-]{1,60}: /, '');
  const words = wordRuns(start.toLowerCase());
  const first = words.findIndex((word) => !OPTIONAL_START.has(word));
  const verb = words[first === -1 ? 0 : first];
  if (verb === undefined) return null;
  const from = start.toLowerCase().indexOf(verb);
  // `inspect.signature()` is a name, not a request.
  if (/^[.(_:[/-]/.test(start.slice(from + verb.length))) return null;
  if (TELLING.test(start.slice(from))) return { action: 'explain', isReading: true, isWeak: false };
  if (/^let (?!us\b|['’]?s\b)/i.test(start)) return { action: 'implement', isReading: false, isWeak: false };
  if (/^(?:ensure|make sure)\b/i.test(start.slice(from)))
    return { action: 'implement', isReading: false, isWeak: true };
  if (READING_VERBS.has(verb)) return { action: 'explain', isReading: true, isWeak: false };
  if (NOUN_VERBS.has(verb)) return { action: 'implement', isReading: false, isWeak: true };
  const action = ACTION_OF_VERB.get(verb);
  if (action === undefined) return null;
  // "Is", "What" and "Which" ask only in a sentence with a question mark.
  const asks = /[?？]/.test(sentence) || /^(?:how|why|wie|warum|comment|pourquoi|cómo)$/.test(verb);
  if (action === 'explain' && !asks) return null;
  return {
    action,
    isReading: false,
    isWeak: action === 'test' || action === 'review' || action === 'document',
  };
}

/** Types of conventional commits and tags of issues. */
const ACTION_OF_LABEL: ReadonlyMap<string, TaskAction> = new Map<string, TaskAction>([
  ...each('implement', 'feat feature enhancement improvement request proposal rfc idea suggestion'),
  ...each(
    'fix',
    'fix fixed bug bugs bugfix hotfix regression crash revert security problem fehler 错误 问题 バグ',
  ),
  ...each('document', 'doc docs documentation typo'),
  ...each('test', 'test tests'),
  ...each('refactor', 'refactor perf performance style chore'),
  ...each('explain', 'question help discussion'),
]);

/** Actions by the verb at the beginning of a sentence. */
const ACTION_OF_VERB: ReadonlyMap<string, TaskAction> = new Map<string, TaskAction>([
  ...each(
    'implement',
    `add adds added implement implements introduce introduces support supports allow allows enable enables
    create build provide expose extend integrate make include handle accept permit füge ergänze
    implementiere baue unterstütze hinzufügen implementieren erstellen ajouter ajoute implémenter créer
    permettre supporter añadir agregar implementar crear soportar permitir agrega añade
    write generate return ensure convert configure adjust improve increase decrease raise lower reduce
    register define declare enforce apply require reject validate send save read render put keep let
    emit wire hide disable turn give schreibe verbessere ändere`,
  ),
  ...each(
    'fix',
    `fix fixes fixed fixing repair resolve solve correct patch debug avoid prevent stop crash crashes
    hotfix behebe beheben korrigiere repariere beseitige verhindere corriger corrige réparer résoudre
    éviter arreglar corregir corrige solucionar evitar resolver`,
  ),
  ...each(
    'review',
    'review reviews audit inspect assess überprüfe prüfe begutachte examiner réviser revisar auditar',
  ),
  ...each('test', 'test tests cover teste tester testen probar'),
  ...each(
    'refactor',
    `refactor refactors refactored rename renames move moves extract simplify simplifies clean cleanup
    restructure reorganize deduplicate inline split merge optimize optimise speed modernize migrate
    rewrite replace remove drop delete deprecate port upgrade bump refaktoriere vereinfache umbenennen
    refactoriser renommer simplifier refactorizar renombrar simplificar`,
  ),
  ...each('document', 'document documents documenting docs dokumentiere dokumentieren documenter documentar'),
  ...each(
    'explain',
    `how why what where which who when does is are wie warum was wo wieso comment pourquoi cómo dónde`,
  ),
]);

/** Verbs that are also nouns: "Update the list" is a request, "Update fails" is a complaint. */
const NOUN_VERBS: ReadonlySet<string> = new Set(
  `update change show use set log cache filter sort search report list display load store limit print index
  check switch map start process schedule format export import`.split(/\s+/),
);

/** Verbs that ask to read and to report. */
const READING_VERBS: ReadonlySet<string> = new Set(
  `explain explains describe understand explore investigate find locate identify analyze analyse summarize
  summarise determine diagnose research study compare look tell trace figure walk erkläre erklär untersuche
  finde suche analysiere zeige beschreibe expliquer explique trouve cherche analyser décris explicar explica
  encuentra busca analiza investiga describe`.split(/\s+/),
);

/** Words of languages that are written without spaces. They are searched anywhere in the text. */
const ACTION_OF_FRAGMENT: readonly (readonly [string, TaskAction])[] = [
  ...each('test', '编写测试 添加测试 增加测试 单元测试 テストを追加 テストを書'),
  ...each('document', '文档 ドキュメント'),
  ...each('refactor', '重构 重命名 リファクタ'),
  ...each('review', '审查 评审 レビュー'),
  ...each('fix', '修复 修正 解决 报错 错误 崩溃 失败 バグ エラー 直す'),
  ...each('explain', '解释 说明 为什么 如何 怎么 分析 查找 なぜ 説明'),
  ...each('implement', '添加 增加 实现 支持 新增 追加 実装 対応'),
];

function each(action: TaskAction, words: string): [string, TaskAction][] {
  return words.split(/\s+/).map((word) => [word, action]);
}

import type { TaskAction } from '../../model/task-analysis.ts';

// The words that say what a task asks for: types of commits, tags of issues, and the verbs that sentences begin with.

/** Types of conventional commits and tags of issues. */
export const ACTION_OF_LABEL: ReadonlyMap<string, TaskAction> = new Map<string, TaskAction>([
  ...each(
    'implement',
    'feat fea feature enh enhancement improvement request proposal rfc idea suggestion update new ux',
  ),
  ...each(
    'fix',
    'fix fixed bug bugs bugfix hotfix regression crash revert security problem fehler 错误 问题 バグ',
  ),
  ...each('document', 'doc docs documentation typo'),
  ...each('test', 'test tests tst'),
  ...each('refactor', 'refactor ref perf performance eff style sty chore maint mnt cln dep breaking upgrade'),
  ...each('explain', 'question help discussion'),
  ...each('review', 'review'),
]);

/** Actions by the verb at the beginning of a sentence. */
const ACTION_OF_VERB: ReadonlyMap<string, TaskAction> = new Map<string, TaskAction>([
  ...each(
    'implement',
    `add implement impl introduce support allow enable
    create build provide expose extend integrate make include handle accept permit füge ergänze
    implementiere baue unterstütze hinzufügen implementieren erstellen ajouter ajoute implémenter créer
    permettre supporter añadir agregar implementar crear soportar permitir agrega añade
    write generate return ensure configure adjust improve increase decrease raise lower reduce
    register define declare enforce apply require reject validate send save read render put keep let
    emit wire hide disable turn give restrict distinguish remember start warn alter tweak
    detect track fall revise skip flush close relax override populate propagate preserve pass call copy compute
    publish select sync wait rely mark bring prefer calculate verify recognize recognise treat throw catch
    ignore run execute open initialize initialise reset clear clone mention spell
    disallow scan reuse delay defer notify inform display invoke permit record attach highlight resize suggest panic mention sync align embed control reverse schreibe verbessere ändere`,
  ),
  ...each(
    'fix',
    `fix workaround revert repair honor honour respect sanitize sanitise escape guard restore resolve solve correct patch debug avoid prevent stop crash crashes
    hotfix behebe beheben korrigiere repariere beseitige verhindere corriger corrige réparer résoudre
    éviter arreglar corregir corrige solucionar evitar resolver`,
  ),
  ...each(
    'review',
    'review audit inspect assess critique proofread double-check überprüfe prüfe begutachte examiner réviser revisar auditar',
  ),
  ...each('test', 'test cover teste tester testen probar'),
  ...each(
    'refactor',
    `refactor rename move extract simplify clean cleanup
    restructure reorganize deduplicate inline split merge optimize optimise speed modernize migrate
    rewrite replace remove drop delete deprecate port upgrade bump downgrade pin utilize convert untangle
    dedupe streamline relocate trim purge shrink swap adapt adopt absorb generalize generalise factor strip
    hoist lift decouple isolate separate reorder rework revamp shorten redistribute substitute unpin nuke share consolidate unify tidy prune refine reformat shuffle leverage refaktoriere vereinfache umbenennen
    refactoriser renommer simplifier refactorizar renombrar simplificar`,
  ),
  ...each('document', 'document docs dokumentiere dokumentieren documenter documentar'),
  ...each(
    'explain',
    `how why what where which who when does is are wie warum was wo wieso comment pourquoi cómo dónde`,
  ),
]);

/** Verbs that are also nouns: "Update the list" is a request, "Update fails" is a complaint. */
export const NOUN_VERBS: ReadonlySet<string> = new Set(
  `update change show use set log cache filter sort search report list display load store limit print index
  check switch map start process schedule format export import`.split(/\s+/),
);

/** Verbs that ask to read and to report. */
export const READING_VERBS: ReadonlySet<string> = new Set(
  `explain explains describe understand explore investigate find locate identify analyze analyse summarize
  summarise determine diagnose research study compare look tell trace figure walk erkläre erklär untersuche
  finde suche analysiere zeige beschreibe expliquer explique trouve cherche analyser décris explicar explica
  encuentra busca analiza investiga describe`.split(/\s+/),
);

/** Words of languages that are written without spaces. They are searched anywhere in the text. */
export const ACTION_OF_FRAGMENT: readonly (readonly [string, TaskAction])[] = [
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

/** Forms that no rule leads back to their verb. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['made', 'make'],
  ['wrote', 'write'],
  ['rewrote', 'rewrite'],
  ['gave', 'give'],
  ['kept', 'keep'],
  ['got', 'get'],
]);

/** Endings of past forms and participles, and what the verb ends with instead. */
const FORMS: readonly (readonly [ending: RegExp, instead: string])[] = [
  [/ies$/, 'y'],
  [/ied$/, 'y'],
  [/s$/, ''],
  [/es$/, ''],
  [/d$/, ''],
  [/ed$/, ''],
  [/ing$/, ''],
  [/ing$/, 'e'],
  [/(.)\1(?:ed|ing)$/, '$1'],
];

/** The verb as the tables have it: `add` for `added` and `adding`; the word itself if they do not have it. */
export function verbOf(word: string): string {
  if (isVerb(word)) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  for (const [ending, instead] of FORMS) {
    const verb = ending.test(word) ? word.replace(ending, instead) : '';
    // questions have no other forms: "Comments" is not the French word for "how"
    if (verb.length > 2 && isVerb(verb) && ACTION_OF_VERB.get(verb) !== 'explain') return verb;
  }
  return word;
}

function isVerb(word: string): boolean {
  return ACTION_OF_VERB.has(word) || NOUN_VERBS.has(word) || READING_VERBS.has(word);
}

/** The action of a verb in the form that `verbOf` gives. */
export function actionOfVerb(verb: string): TaskAction | undefined {
  return ACTION_OF_VERB.get(verb);
}

// What a title has in front of what it says: the number of an issue, a ticket, a tag in capitals, the place.

/** A title without what stands in front of it. */
interface BareTitle {
  readonly title: string;
  /** Tag in capitals, as some projects write it: `DOC`, `MAINT`; lower case. Empty if there is none. */
  readonly tag: string;
  /** It says that it closes a report: a fix, unless its verb says otherwise. */
  readonly closes: boolean;
  /** It has the number of a security hole. */
  readonly isHole: boolean;
}

/** `[3.11] `, `[PR #12/ab backport]`, `[Fix #12] `. */
const BRACKETS = /^\[([^\]]{1,60})\]:?\s*(?=\S)/;
/** `Fixed #12 -- `, `Closes #12: `, `Refs #12 -- `, `Issue #12 - `. */
const ISSUE =
  /^(fix(?:es|ed)?|clos(?:es?|ed)|resolv(?:es?|ed)|refs?|see|issue|bug|ticket)\s?:?\s(?:#|gh-)?\d{1,7}\s{0,2}(?:--|[:.-])?\s+/i;
/** `Backport PR #12: `. */
const BACKPORT = /^backport (?:of )?(?:PR )?#\d{1,7}(?: [^:]{1,40})?:\s+/i;
/** `ABC-12: `, `#12 `, `12345 `. */
const TICKET = /^(?:[A-Z]{2,12}-\d{1,7}:?|#\d{1,7}:?|\d{4,7}:?)\s+(?=\S)/;
const HOLE = /^CVE-\d{4}-\d{1,8}\s?(?::|--)?\s+/i;
const TAG =
  /^(DOCS?|ENH|FEAT?|FEATURE|MAINT|MNT|TST|TESTS?|FIX|BUG|PERF|EFF|CLN|REF|REFACTOR|DEP|STY|STYLE|UX|SECURITY)\s?(?::|(?=\s))\s*(?=[\p{L}`])/u;
/** `Update: `, `New: `, `Breaking: ` are types of commits as well. */
const TYPE = /^(update|new|breaking|upgrade|bugfix|task|review)(?::|\])\s+/i;
/** More are not expected. */
const ROUNDS = 4;

export function withoutReference(written: string): BareTitle {
  let title = written;
  let tag = '';
  let closes = false;
  let isHole = false;
  for (let round = 0; round < ROUNDS; round++) {
    const found =
      BRACKETS.exec(title) ??
      BACKPORT.exec(title) ??
      ISSUE.exec(title) ??
      HOLE.exec(title) ??
      TICKET.exec(title) ??
      TAG.exec(title) ??
      TYPE.exec(title);
    if (!found || found[0].length === title.length) break;
    const said = found[1] ?? '';
    if (/^fix|^resolv|^bug\b/i.test(said)) closes = true;
    if (HOLE.test(title)) isHole = true;
    if (tag === '' && (TAG.test(title) || TYPE.test(title))) tag = said.toLowerCase();
    title = title.slice(found[0].length);
  }
  return { title, tag, closes, isHole };
}

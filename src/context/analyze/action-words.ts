import type { TaskAction } from '../../model/task-analysis.ts';

/** Types of conventional commits and tags of issues. */
export const ACTION_OF_LABEL: ReadonlyMap<string, TaskAction> = new Map<string, TaskAction>([
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

/** Verbs that say what to do when a sentence begins with them. */
export const ACTION_OF_VERB: ReadonlyMap<string, TaskAction> = new Map<string, TaskAction>([
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

/** Verbs that are nouns as well: "Update the list" asks for something, "Update fails" complains. */
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

/** Written without spaces: found anywhere in the text. */
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

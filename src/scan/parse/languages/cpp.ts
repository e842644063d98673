// C++: the patterns of C, and classes, namespaces, templates and constructors.
import { C_STYLE_LEXIS, type Language, type RawDefinition } from '../language.ts';
import { cFamilyQuery, cTestedNames, declaredName, readInclude, refineC } from './c-family.ts';

/** More places where a declaration is not local. */
const PARENTS = ['template_declaration', 'friend_declaration', 'field_declaration_list'];

/**
 * An unknown macro (`class API_EXPORT Name : Base {`) makes the grammar read a class as a function. Its members are
 * then statements of that function.
 */
const MACRO_CLASS = ['class', 'struct']
  .map((kind) => {
    const head = `(function_definition type: (${kind}_specifier !body)`;
    return `
${head} declarator: (identifier) @name body: (compound_statement) @body) @definition.${kind}
${head} body: (compound_statement (declaration declarator: (_) @name) @definition.variable))
${head} body: (compound_statement (labeled_statement (declaration declarator: (_) @name) @definition.variable)))`;
  })
  .join('');

/**
 * `= default`, `= delete` and `= 0` are bodies without a block. The last pattern finds tests of Catch2 and doctest,
 * whose macro call and block are siblings.
 */
const QUERY = `
${cFamilyQuery(PARENTS)}
${MACRO_CLASS}
(class_specifier name: (_) @name body: (_) @body) @definition.class
(namespace_definition name: (_) @name body: (_) @body) @definition.module
(namespace_alias_definition name: (_) @name) @definition.module
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type
(function_definition declarator: (_) @name [(default_method_clause) (delete_method_clause) (pure_virtual_clause)]) @definition.function
(function_definition declarator: (_) @name (try_statement) @body) @definition.function
(type_definition
  type: [(qualified_identifier) (template_type) (decltype) (dependent_type) (placeholder_type_specifier)] declarator: (_) @name) @definition.type
((expression_statement (call_expression function: (identifier) @macro
    arguments: (argument_list . (string_literal (string_content) @name)))) @definition.test
  . (compound_statement) @body (#any-of? @macro "TEST_CASE" "TEST_CASE_METHOD" "SCENARIO" "SECTION" "SUBCASE" "GIVEN" "WHEN" "THEN"))
`;

/** `template <…>` and `extern "C"` are siblings before the definition. The engine adds only their second half. */
function withPrefix(start: number, text: string): number {
  let from = start;
  for (let turn = 0; turn < 4; turn++) {
    const before = text.slice(Math.max(0, from - 400), from);
    const found =
      /(?:\btemplate\s*|\btemplate\s*<[^;{}]*>\s*|\bextern\s*|\bextern\s*"[^"]*"\s*|\bfriend\s*)$/.exec(
        before,
      );
    if (!found) break;
    from -= found[0].length;
  }
  return from;
}

/** Words before a constructor: there is no type among them. */
const NO_TYPE =
  /^(?:\s|(?:explicit(?:\s*\([^()]*\))?|inline|constexpr|consteval|virtual|static|friend|template|[A-Z][A-Z0-9_]*(?:\([^()]*\))?)\b|\[\[[^\]]*\]\])*$/;

/** Where leading template parameters end. */
function behindAngles(text: string): number {
  if (text[0] !== '<') return 0;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '<') depth++;
    else if (text[index] === '>' && --depth === 0) return index + 1;
  }
  return 0;
}

/** A name without template arguments. */
function bareName(name: string): string {
  return name.replace(/<[^<>]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>[^<>]*)*>/g, '').trim();
}

/** In C++ the declarator says more: constructors have no type, methods outside of their class have a scope. */
function refineDeclarator(raw: RawDefinition, refined: RawDefinition, text: string): RawDefinition {
  const declared = declaredName(raw.name);
  if (refined.kind !== 'function' || !declared) return refined;
  const owner = bareName(declared.scope).split('::').at(-1)!.trim();
  if (owner) return { ...refined, kind: owner === declared.name ? 'constructor' : 'method' };
  if (declared.name.startsWith('~') || declared.name.startsWith('operator')) return refined;
  const head = text.slice(raw.start, raw.nameStart);
  const isMacroCall = /^[A-Z0-9_]+$/.test(declared.name) && declared.name.includes('_');
  return NO_TYPE.test(head.slice(behindAngles(head))) && !isMacroCall && declared.at === 0
    ? { ...refined, kind: 'constructor' }
    : refined;
}

/** Corrects one finding. Module statements look like variables to the grammar. */
function refineCpp(definition: RawDefinition, text: string): RawDefinition | null {
  if (definition.kind === 'test') return { ...definition, end: definition.bodyEnd };
  if (/^(?:export\s+)?(?:import|module)\b/.test(text.slice(definition.start, definition.start + 20)))
    return null;
  if (definition.kind === 'class' || definition.kind === 'struct') {
    const plain = bareName(definition.name);
    // `class Outer::Inner` and `struct Foo<int>` are searched by their own name
    const name = plain.slice(plain.lastIndexOf(':') + 1);
    if (name !== definition.name && /^\w+$/.test(name)) {
      const nameStart = definition.nameStart + Math.max(definition.name.lastIndexOf(name), 0);
      return { ...definition, name, nameStart, start: withPrefix(definition.start, text) };
    }
  }
  const isAlias = definition.kind === 'type' && /^(?:using|concept)\b/.test(text.slice(definition.start));
  const refined = isAlias ? definition : refineC(definition, text);
  if (!refined) return null;
  const found = refineDeclarator(definition, refined, text);
  return { ...found, start: withPrefix(found.start, text) };
}

export const cpp: Language = {
  id: 'cpp',
  name: 'C++',
  kind: 'code',
  extensions: [
    ...['.cc', '.cpp', '.cxx', '.c++', '.hpp', '.hh', '.hxx', '.h++'],
    ...['.ipp', '.tpp', '.inl', '.cu', '.cuh', '.ixx', '.cppm'],
  ],
  lexis: {
    ...C_STYLE_LEXIS,
    strings: [{ open: 'R"(', close: ')"', multiline: true }, ...C_STYLE_LEXIS.strings],
  },
  docs: 'above',
  testPaths: /(^|\/)(test[_-][^/]*|[^/]*[_-](?:unit)?tests?|[^/]*Tests?)\.(?:cc|cpp|cxx|cu|h|hpp|hh)$/,
  testedNames: (path) =>
    cTestedNames(path, ['.cc', '.cpp', '.cxx', '.cu', '.h', '.hpp', '.hh', '.hxx', '.c']),
  structure: {
    engine: 'tree-sitter',
    grammar: 'cpp',
    query: QUERY,
    headerSiblings: ['template_parameter_list', 'requires_clause', 'string_literal'],
    readImport: readInclude,
    refine: refineCpp,
  },
};

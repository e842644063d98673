// Ruby. Class macros such as `attr_reader` and `has_many` define members, and Rails loads constants by their names
// without imports.
import { type Language, LONG_DOUBLE, LONG_SINGLE, type RawDefinition, type RawImport } from '../language.ts';
import { keepShortBody, ownArgument, trimHeader, withoutEnd } from './resolve-header.ts';

/** Macros whose arguments are names of members: all of them, or only the first. */
const ATTRIBUTES =
  '^(attr|attr_reader|attr_writer|attr_accessor|[cm]attr_(reader|writer|accessor)|class_attribute|thread_mattr_accessor|delegate)$';
const MACROS =
  '^(scope|has_one|has_many|belongs_to|has_and_belongs_to_many|has_one_attached|has_many_attached|enum|helper_method)$';
/** `private def name` is a call around the definition. */
const VISIBILITY =
  '^(private|protected|public|private_class_method|public_class_method|module_function|memoize)$';
const TESTS =
  '^(describe|context|it|specify|example|feature|scenario|test|should|shared_examples|shared_examples_for|shared_context|xit|fit|fdescribe|xdescribe)$';

/** The calls in the second half are the DSLs of Ruby, RSpec, Minitest and Rake. */
const QUERY = `
(module name: (_) @name body: (_)? @body) @definition.module
(class name: (_) @name body: (_)? @body) @definition.class
(singleton_class value: (_) @name body: (_)? @body) @definition.class
(method name: (_) @name body: (_)? @body) @definition.function
(singleton_method name: (_) @name body: (_)? @body) @definition.function
(call method: (identifier) @macro arguments: (argument_list [(method name: (_) @name) (singleton_method name: (_) @name)])
  (#match? @macro "${VISIBILITY}")) @definition.function
(assignment left: (constant) @name right: (_) @body) @definition.constant
(program (assignment left: (global_variable) @name) @definition.variable)
(assignment left: (class_variable) @name) @definition.property
(call !receiver method: (identifier) @macro arguments: (argument_list [(simple_symbol) (string)] @name)
  (#match? @macro "${ATTRIBUTES}")) @definition.property
(call !receiver method: (identifier) @macro arguments: (argument_list . [(simple_symbol) (string)] @name)
  (#match? @macro "${MACROS}")) @definition.property
(call !receiver method: (identifier) @macro arguments: (argument_list . [(simple_symbol) (string)] @name) block: (_)? @body
  (#any-of? @macro "define_method" "define_singleton_method" "alias_method")) @definition.function
(alias name: (_) @name) @definition.function
(call method: (identifier) @macro arguments: (argument_list . (_) @name) block: (_) @body
  (#match? @macro "${TESTS}")) @definition.test
(call !receiver method: (identifier) @macro arguments: (argument_list . [(simple_symbol) (string) (pair key: (_))] @name) block: (_) @body
  (#any-of? @macro "task" "multitask")) @definition.function
(call !receiver method: (identifier) @macro arguments: (argument_list . [(simple_symbol) (string)] @name) block: (_) @body
  (#any-of? @macro "namespace")) @definition.module
(call !receiver method: (identifier) @macro arguments: (argument_list)
  (#any-of? @macro "require" "require_relative" "autoload" "load")) @import
`;

/** Only literal paths count. A path that is computed at run time names nothing. */
export function readRubyImport(statement: string): RawImport[] {
  const found = /^(\w+)[\s(]*(?::\w+\s*,\s*|['"][\w:]+['"]\s*,\s*)?(['"])([^'"\n#]+)\2/.exec(statement);
  if (!found) return [];
  const specifier = found[1] === 'require_relative' ? `./${found[3]}` : found[3]!;
  return [{ kind: 'import', specifier, names: [] }];
}

/**
 * Strings on one line, comments, and constants with their qualifiers. Strings and comments match first, so that
 * constants in them are skipped.
 */
const CONSTANTS =
  /(["'])((?:(?!\1)[^\\\n]|\\.)*)\1|(?:^|[\s;])#(?!\{)[^\n]*|(?<![\w@$:])(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*/g;
const CONSTANT_PATH = /^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*$/;
/** Values, not classes: `MAX_SIZE`. */
const VALUE_NAME = /^[A-Z\d]+_[A-Z\d_]*$/;
const MAX_CONSTANTS = 400;

/** Constants that a file names, because Rails loads them by name; `class_name: 'Account'` names one, too. */
export function readConstants(text: string): RawImport[] {
  const names = new Set<string>();
  for (const [found, quote, content] of text.matchAll(CONSTANTS)) {
    const name = quote === undefined ? found : content!;
    if (CONSTANT_PATH.test(name) && !VALUE_NAME.test(name)) names.add(name);
    if (names.size >= MAX_CONSTANTS) break;
  }
  return names.size > 0 ? [{ kind: 'autoload', specifier: '', names: [...names].sort() }] : [];
}

/** `:name`, `"name"`, `name:` and `:name => [...]`. */
function plainName(name: string): string {
  const key = name.replace(/\s+=>[\s\S]*$/, '').replace(/^(\w+):\s[\s\S]*$/, '$1');
  return key.replace(/^:?(["'])([\s\S]*)\1$/, '$2').replace(/^:/, '');
}

/** `TABLE = { … }.freeze`: a call after the brackets ends the definition. */
function withoutLongValue(definition: RawDefinition, text: string): RawDefinition {
  const value = text.slice(definition.headerEnd, definition.bodyEnd);
  const close = value.startsWith('{')
    ? value.lastIndexOf('}')
    : value.startsWith('[')
      ? value.lastIndexOf(']')
      : -1;
  const bodyEnd = close < 0 ? definition.bodyEnd : definition.headerEnd + close + 1;
  return trimHeader(keepShortBody({ ...definition, bodyEnd }, text), text);
}

/** `Point = Struct.new(:x) do … end` defines a class. */
function refineConstant(definition: RawDefinition, text: string): RawDefinition {
  const value = text.slice(definition.headerEnd, definition.bodyEnd);
  if (!/^(?:::)?(?:Struct|Class|Module|Data)\.(?:new|define)\b/.test(value))
    return withoutLongValue(definition, text);
  const block = /\s(?:do\b|\{)/.exec(value.slice(0, 500));
  const kind = value.startsWith('Module') ? 'module' : 'class';
  if (!block) return { ...definition, kind, headerEnd: definition.end, bodyEnd: definition.end };
  return { ...definition, kind, headerEnd: definition.headerEnd + block.index };
}

function refineRuby(definition: RawDefinition, text: string): RawDefinition | null {
  const name = plainName(definition.name);
  if (name === '') return null;
  if (definition.kind === 'constant') return refineConstant(definition, text);
  if (definition.kind === 'property') {
    const nameEnd = definition.nameStart + definition.name.length;
    // Options after the names (`to: :owner`, `-> { … }`) belong to the statement.
    const listed =
      /^\s*,\s*[:"'][\w?!]/.test(text.slice(nameEnd, nameEnd + 80)) &&
      /^\w*(?:attr|delegate)/.test(text.slice(definition.start, definition.nameStart));
    return { ...ownArgument(definition, listed ? nameEnd : definition.end, text), name };
  }
  return { ...trimHeader(withoutEnd(definition, text), text, '#'), name };
}

export const ruby: Language = {
  id: 'ruby',
  name: 'Ruby',
  kind: 'code',
  extensions: ['.rb', '.rake', '.gemspec', '.ru', '.rbw', '.podspec', '.thor', '.jbuilder'],
  fileNames: (
    'Rakefile Gemfile Guardfile Capfile Vagrantfile Podfile Fastfile Brewfile Thorfile ' + 'Dangerfile'
  ).split(' '),
  interpreters: ['ruby', 'jruby', 'rake'],
  lexis: { lineComments: ['#'], blockComments: [['=begin', '=end']], strings: [LONG_DOUBLE, LONG_SINGLE] },
  docs: 'above',
  testPaths: /(^|\/)(spec|test)\/|(^|\/)([^/]*_(spec|test)|test_[^/]*)\.rb$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.rb$/.exec(path)?.[1] ?? '';
    const tested = stem.replace(/_(?:spec|test)$|^test_/g, '');
    return tested ? [`${tested}.rb`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'ruby',
    query: QUERY,
    readImport: readRubyImport,
    findReferences: readConstants,
    refine: refineRuby,
  },
};

// Scala 2 and 3. Package clauses nest, imports select and rename, and an extension is a class of the type that it
// extends.
import {
  C_STYLE_LEXIS,
  DOUBLE,
  importedAs,
  type Language,
  type RawDefinition,
  type RawImport,
  TRIPLE_DOUBLE,
} from '../language.ts';
import { resolveHeader } from './resolve-header.ts';

/** Declarations in a block are local. */
const PLACES = ['compilation_unit', 'template_body', 'with_template_body', 'enum_body', 'ERROR'];

const ITEMS = `
(class_definition name: (_) @name) @outer.class
(class_definition name: (_) @name body: (template_body) @body) @outer.class
(object_definition name: (_) @name) @outer.class
(object_definition name: (_) @name body: (template_body) @body) @outer.class
(trait_definition name: (_) @name) @outer.trait
(trait_definition name: (_) @name body: (template_body) @body) @outer.trait
(enum_definition name: (_) @name body: (enum_body) @body) @outer.enum
(given_definition name: (_) @name !body) @outer.class
(given_definition name: (_) @name body: (_) @body) @outer.class
(given_definition !name return_type: (_) @name body: (_) @body) @outer.class
(extension_definition . parameters: (parameters (parameter type: (_) @name)) body: (_) @body) @outer.class
(extension_definition . (type_parameters) . parameters: (parameters (parameter type: (_) @name)) body: (_) @body) @outer.class
(type_definition name: (_) @name) @outer.type
(function_definition name: (_) @name body: (_) @body) @outer.function
(function_declaration name: (_) @name) @outer.function
(val_definition pattern: (identifier) @name value: (_) @body) @outer.variable
(val_definition pattern: (identifiers (identifier) @name) value: (_) @body) @outer.variable
(val_definition pattern: (tuple_pattern (identifier) @name) value: (_) @body) @outer.variable
(var_definition pattern: (identifier) @name value: (_) @body) @outer.variable
(var_definition pattern: (identifiers (identifier) @name) value: (_) @body) @outer.variable
(val_declaration name: (_) @name) @outer.variable
(var_declaration name: (_) @name) @outer.variable
`;

/**
 * Parameters of case classes, and those with `val` or `var`, are properties. They are two levels below the parent node,
 * so each kind of parent needs its own pattern.
 */
const PARAMETERS = [
  '(class_definition "case" class_parameters: (class_parameters (class_parameter name: (identifier) @name) @definition.property))',
  '(class_definition class_parameters: (class_parameters (class_parameter ["val" "var"] name: (identifier) @name) @definition.property))',
  '(enum_definition class_parameters: (class_parameters (class_parameter ["val" "var"] name: (identifier) @name) @definition.property))',
].flatMap((item) => PLACES.map((place) => `(${place} ${item})`));

/**
 * The whole file is captured as an import when it starts with a package clause: `readPackages` needs all clauses
 * together.
 */
const QUERY = `
(package_clause name: (package_identifier) @name !body) @definition.module
(package_clause name: (package_identifier) @name body: (_) @body) @definition.module
(package_object name: (_) @name body: (_) @body) @definition.module
(compilation_unit . [(comment) (block_comment)]* . (package_clause)) @import
(import_declaration) @import
(export_declaration) @import
${ITEMS}
${PARAMETERS.join('\n')}
(extension_definition (function_definition name: (_) @name body: (_) @body) @definition.function)
(extension_definition (function_declaration name: (_) @name) @definition.function)
(simple_enum_case name: (_) @name) @definition.enum-member
(full_enum_case name: (_) @name) @definition.enum-member
`;

/** Characters. Longer than any import that people write, so that hostile ones cost little. */
const MAX_STATEMENT = 10_000;

/** `A => B` of Scala 2 and `A as B` of Scala 3. */
const RENAMED = /^(\S+?)(?:\s*=>\s*|\s+as\s+)(\S+)$/;

const COMMENTS = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** `package a.b` above `package c` means that the file is in `a.b.c` and sees `a.b`. */
function readPackages(unit: string): RawImport[] {
  const found: RawImport[] = [];
  let within = '';
  const clause =
    /(?:\s|;|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*package\s+(?!object\b)([\w.`$]+)[ \t]*\{?/y;
  for (let match = clause.exec(unit); match; match = clause.exec(unit)) {
    within += `${within && '.'}${match[1]!.replaceAll('`', '')}`;
    found.push({ kind: 'package', specifier: within, names: [] });
  }
  return found;
}

/** The names of `{A, B => C, D as E, F => _, given G, _}`, with their local names. `F => _` hides a name. */
function selectedNames(selectors: string): string[] {
  const names = selectors
    .split(',')
    .map((selector) => selector.trim().replaceAll('`', ''))
    .filter((selector) => selector !== '' && !/=>\s*_$|\bas\s+_$/.test(selector))
    .map((selector) => {
      if (/^(?:_|\*|given\b.*)$/.test(selector)) return '*';
      const [, name, local] = RENAMED.exec(selector) ?? [];
      return name && local ? importedAs(name, local) : /^\S+/.exec(selector)![0];
    });
  return [...new Set(names)];
}

/** `import a.b.C, d.{E, F => G}`, `import a.b._`, `export x.*`, or a file's leading package clauses. */
export function readScalaImport(statement: string): RawImport[] {
  const keyword = /^(import|export)\s/.exec(statement)?.[1];
  if (!keyword) return readPackages(statement.slice(0, 20_000));
  const kind = keyword === 'export' ? 'reexport' : 'import';
  const flat = statement.slice(keyword.length, MAX_STATEMENT).replace(COMMENTS, ' ');
  const found: RawImport[] = [];
  for (const [, path, selectors, local] of flat.matchAll(
    /([^\s,{}]+)(?:\s*\{([^}]*)\})?(?:\s+as\s+([^\s,]+))?\s*(?:,|$)/g,
  )) {
    const whole = path!.replaceAll('`', '').replace(/^\.+/, '');
    if (whole === '') continue;
    if (selectors !== undefined) {
      const names = selectedNames(selectors);
      if (names.length > 0) found.push({ kind, specifier: whole.replace(/\.$/, ''), names });
      continue;
    }
    const dot = whole.lastIndexOf('.');
    if (dot < 0) found.push({ kind, specifier: whole, names: [] });
    else {
      const selector = whole.slice(dot + 1) + (local ? ` as ${local}` : '');
      const names = selectedNames(selector);
      if (names.length > 0) found.push({ kind, specifier: whole.slice(0, dot), names });
    }
  }
  return found;
}

/** An auxiliary constructor is a function called `this`. A `given` with `=` is a value. */
function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  const { kind, name, start, headerEnd, end } = definition;
  if (kind === 'function' && name === 'this') return { ...definition, kind: 'constructor' };
  if (kind !== 'class') return resolveHeader(definition, text);
  const header = text.slice(start, headerEnd);
  // In the grammar every function of an extension is a body of its own.
  if (/^extension\b/.test(header))
    return { ...definition, name: /^[\w.]*?(\w+)(?=\W|$)/.exec(name)?.[1] ?? name, bodyEnd: end };
  const isValue = /\bgiven\b/.test(header) && /=\s*$/.test(header);
  return isValue ? resolveHeader({ ...definition, kind: 'variable' }, text) : definition;
}

export const scala: Language = {
  id: 'scala',
  name: 'Scala',
  kind: 'code',
  extensions: ['.scala', '.sc', '.sbt', '.mill'],
  interpreters: ['scala', 'scala-cli', 'amm'],
  lexis: { ...C_STYLE_LEXIS, strings: [TRIPLE_DOUBLE, DOUBLE] },
  docs: 'above',
  testPaths: /(^|\/)src\/(test|it)\/.*\.scala$|(^|\/)[^/]*(Tests?|Spec|Suite|Specification|IT)\.scala$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.scala$/.exec(path)?.[1] ?? '';
    const bare = stem.replace(/(?:Unit|Integration)?(?:Tests?|Spec|Suite|Specification|IT)$/, '');
    return bare && bare !== stem ? [`${bare}.scala`, `${bare}.java`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'scala',
    query: QUERY,
    outerPlaces: PLACES,
    readImport: readScalaImport,
    refine,
  },
};

// Shell scripts: functions, variables at the top level, aliases, tests of Bats, and `source`.
import {
  HASH_LEXIS,
  type Language,
  LONG_DOUBLE,
  LONG_SINGLE,
  type RawDefinition,
  type RawImport,
} from '../language.ts';

/** `export`, `readonly` and `declare` take options and several names, so they have three patterns. */
const QUERY = `
(function_definition name: (word) @name body: (_) @body) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command . (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (declaration_command . (word) . (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (declaration_command (_) . (variable_assignment name: (variable_name) @name) @definition.variable))
(command name: (command_name) @command argument: (concatenation . (word) @name) (#eq? @command "alias")) @definition.function
(command name: (command_name) @command . argument: (_) @name (#eq? @command "@test")) @definition.test
(command name: (command_name) @command argument: (_) (#any-of? @command "source" "." "load")) @import
`;

/** `"$(dirname "$0")/lib/x.sh"` and `$HERE/lib/x.sh`: the part after the computed folder still names a file. */
const COMPUTED = /^(?:\$\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}|\$\w+)\//;

/** A path with variables in its middle names nothing. */
export function readShellImport(statement: string): RawImport[] {
  const found = /^(source|\.|load)\s+([\s\S]+)$/.exec(statement.trim());
  if (!found) return [];
  const argument = found[2]!;
  const quoted = /^"((?:[^"$]|\$\([^)]*\)|\$)*)"|^'([^']*)'/.exec(argument);
  const bare = quoted ? (quoted[1] ?? quoted[2]!) : argument.split(/\s(?![^(]*\))/)[0]!;
  const specifier = bare.replace(COMPUTED, './');
  return specifier && !/[$`"'*{}<>()\n]/.test(specifier) ? [{ kind: 'include', specifier, names: [] }] : [];
}

/** Bats tests are read as plain commands; they close with a brace at the start of a line. */
function refineTest(definition: RawDefinition, text: string): RawDefinition {
  const name = definition.name.replace(/^["']|["']$/g, '');
  const open = text.indexOf('{', definition.nameStart + definition.name.length);
  const close = text.indexOf('\n}', definition.nameStart);
  if (open < 0 || close < open || open > definition.end) return { ...definition, name };
  return { ...definition, name, headerEnd: open, bodyEnd: close + 2, end: close + 2 };
}

/** A value of several lines is a body. `readonly` makes a constant. */
function refineVariable(definition: RawDefinition, text: string): RawDefinition {
  const { start, nameStart, end } = definition;
  const kind = /^(?:readonly|declare\s+-\w*r)/.test(text.slice(start, nameStart)) ? 'constant' : 'variable';
  const assigned = text.slice(nameStart, end);
  const equals = assigned.indexOf('=');
  if (!assigned.includes('\n') || equals < 0) return { ...definition, kind };
  return { ...definition, kind, headerEnd: nameStart + equals + 1 };
}

/** The name of an alias is the part before `=`. */
function refineShell(definition: RawDefinition, text: string): RawDefinition | null {
  if (definition.kind === 'test') return refineTest(definition, text);
  if (definition.kind === 'variable') return refineVariable(definition, text);
  const name = definition.name.replace(/=.*$/s, '');
  return name ? { ...definition, name } : null;
}

export const shell: Language = {
  id: 'shell',
  name: 'Shell',
  kind: 'code',
  extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats', '.zsh-theme', '.ebuild', '.command'],
  fileNames: [
    ...['.bashrc', '.bash_profile', '.bash_aliases', '.bash_login', '.bash_logout', '.profile', '.envrc'],
    ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', 'PKGBUILD', 'APKBUILD'],
  ],
  interpreters: ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'bats'],
  lexis: { ...HASH_LEXIS, strings: [LONG_DOUBLE, LONG_SINGLE] },
  docs: 'above',
  testPaths: /\.bats$|(^|\/)[^/]*[_-]tests?\.(sh|bash|zsh)$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.\w+$/.exec(path)?.[1] ?? '';
    const tested = stem.replace(/[_-]tests?$|^test[_-]/g, '');
    return tested ? [`${tested}.sh`, `${tested}.bash`, tested] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'bash',
    query: QUERY,
    readImport: readShellImport,
    refine: refineShell,
  },
};

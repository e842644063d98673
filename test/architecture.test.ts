import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../src/agents/table.ts';
import { LANGUAGES } from '../src/scan/parse/languages/table.ts';

/** Parts that do not know each other: a recipe above them puts them together. */
const STAGES: Readonly<Record<string, readonly string[]>> = {
  scan: ['scan/discover', 'scan/parse', 'scan/link', 'scan/format'],
  context: ['context/analyze', 'context/rank', 'context/fit', 'context/render'],
};

/** Each part may import from the parts in the rows above its own, and stages only from there. */
const ROWS: readonly (readonly string[])[] = [
  ['model'],
  ['platform'],
  ['schema'],
  ['config', 'agents'],
  ['redact', ...STAGES.scan!],
  ['scan'],
  ['stores'],
  STAGES.context!,
  ['context'],
  ['session'],
  ['workers'],
  ['surfaces/library'],
  ['index'],
  ['surfaces/shared'],
  ['surfaces/install', 'surfaces/hook'],
  ['surfaces/stats', 'surfaces/mcp'],
  ['surfaces/server'],
  ['surfaces/inspect'],
  ['surfaces/cli'],
];
/** The part that a folder belongs to is its own row, or that of the folder around it. */
const PARTS: ReadonlySet<string> = new Set(ROWS.flat());

const OUTSIDE_MODULES = [
  'fs',
  'child_process',
  'net',
  'tls',
  'dgram',
  'http',
  'https',
  'http2',
  'worker_threads',
];
const OUTSIDE_ACCESS = new Set(['process.env', 'Date.now', 'Math.random']);
const OUTSIDE_PARTS = [
  'platform',
  ...['shared', 'install', 'hook', 'stats', 'mcp', 'server', 'inspect', 'cli'].map(
    (name) => `surfaces/${name}`,
  ),
];
/** Tests and what only they use, such as `x.test-kit.ts`; exempt, and out of bounds for everything else. */
const TEST_FILE = /\.(test|test-kit|contract)\.ts$/;
/** The only file that calls `JSON.parse`: its readers have a size limit, and text that is not JSON is a value. */
const JSON_HOME = 'model/read-json.ts';
/** Other files that may call it. */
const JSON_PARSERS: readonly string[] = [
  JSON_HOME,
  // Written by Loadout, with a checksum. The number of the index format is a hash of this code.
  'scan/format/',
  'platform/cache/built-formats.ts',
];
const LANGUAGE_HOMES = ['scan/parse/languages/', 'scan/parse/resolvers/'];

// Formats such as JSON are words of our own as well, and one letter says nothing.
const LANGUAGE_WORDS = new Set(
  LANGUAGES.filter(({ kind }) => kind === 'code')
    .flatMap(({ id, name }) => [id, name])
    .filter((word) => word.length > 1),
);

const CLIENT_HOME = 'agents/';
/** Where a word is not the name of a client although it is spelled like one. */
const CLIENT_NAMES_ALLOWED: readonly string[] = [
  // names of models, by which users choose a token counter
  'context/fit/models.ts',
];
const CLIENT_IDS = new Set(CLIENTS.map(({ id }) => id));
/** An editor and a place in a text are both called a cursor: alone it is a name, inside a sentence it is not. */
const PLAIN_WORDS = new Set(['cursor']);
/** Longest first, so that the whole of a name is found. */
const CLIENT_WORDS = CLIENTS.flatMap(({ id, name, program }) => [id, name, program]).sort(
  (a, b) => b.length - a.length,
);
/** Whole words in any spelling: `CLAUDE.md` names a client, and `claude-opus-4` names a model. */
const IN_TEXT = new RegExp(
  `(?<![A-Za-z0-9-])(?:${CLIENT_WORDS.filter((word) => !PLAIN_WORDS.has(word.toLowerCase())).join('|')})(?![A-Za-z0-9-])`,
  'i',
);

/** The client that a text names; null when it names none. */
function clientIn(text: string): string | null {
  return CLIENT_WORDS.find((word) => word === text) ?? IN_TEXT.exec(text)?.[0] ?? null;
}

/** The client that a node names in quotes, in a pattern or as the name of a property. */
function namedClient(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    return clientIn(node.text);
  if (ts.isRegularExpressionLiteral(node)) return clientIn(node.text);
  const { parent } = node;
  const isName =
    ts.isIdentifier(node) &&
    ((ts.isPropertyAssignment(parent) && parent.name === node) ||
      (ts.isPropertyAccessExpression(parent) && parent.name === node));
  return isName && CLIENT_IDS.has(node.text) ? node.text : null;
}

function partOf(path: string): string {
  if (!path.includes('/')) return path === 'index.ts' ? 'index' : 'the root of src';
  const [top, second] = path.split('/');
  return PARTS.has(`${top}/${second}`) ? `${top}/${second}` : top!;
}

/** The innermost folder with a door that a file is in, when the importer is outside of it; null when it may be imported. */
function closedFolder(file: string, importer: string): string | null {
  if (file.endsWith('/index.ts')) return null;
  const folder = doorOf(file);
  return folder === undefined || doorOf(importer) === folder ? null : folder;
}

function doorOf(file: string): string | undefined {
  return [...DOORS].filter((one) => file.startsWith(`${one}/`)).sort((a, b) => b.length - a.length)[0];
}

function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const [own, other] = [from, to].map((part) => ROWS.findIndex((row) => row.includes(part)));
  return other !== -1 && other! < own!;
}

const root = fileURLToPath(new URL('../src', import.meta.url));

function sources(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.ts$/.test(path) && !TEST_FILE.test(path) ? [path] : [];
  });
}

/** Features: other folders import their `index.ts` and nothing else. */
const DOORS: ReadonlySet<string> = new Set(
  sources()
    .filter((path) => path.endsWith('/index.ts'))
    .map(dirname),
);

/** Everything in one file of `src` that breaks a rule, as `path:line: rule`. */
function breaches(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const part = partOf(path);
  const report = (node: ts.Node, rule: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`src/${path}:${line + 1}: ${rule}`);
  };
  if (!PARTS.has(part)) report(source, `${part} has no place in the import order`);

  const mayNameClients = path.startsWith(CLIENT_HOME) || CLIENT_NAMES_ALLOWED.includes(path);

  const checkImport = (node: ts.Node, specifier: string) => {
    if (specifier.startsWith('.')) {
      if (TEST_FILE.test(specifier)) report(node, `only tests import ${specifier}`);
      const target = partOf(normalize(join(dirname(path), specifier)));
      if (!mayImport(part, target)) report(node, `${part} must not import ${target} (${specifier})`);
      const door = closedFolder(normalize(join(dirname(path), specifier)), path);
      // Lazy imports name the file, so that they load no more than it.
      if (door !== null && !ts.isCallExpression(node))
        report(node, `${door} is private: import ${door}/index.ts (${specifier})`);
      if (part === 'agents' && target === 'platform' && !isTypeImport(node))
        report(node, `agents holds facts and takes only types from ${target} (${specifier})`);
      return;
    }
    const builtin = specifier.replace(/^node:/, '').split('/')[0]!;
    if (OUTSIDE_MODULES.includes(builtin) && !OUTSIDE_PARTS.includes(part)) {
      report(node, `only platform and surfaces import ${specifier}`);
    }
  };

  const visit = (node: ts.Node): void => {
    const specifier = importedFrom(node);
    if (specifier) checkImport(node, specifier.text);
    if (ts.isExportDeclaration(node) && !node.exportClause) report(node, 'no `export *`: list the names');
    if (ts.isExportAssignment(node) || isDefaultExport(node)) report(node, 'no default exports');
    if (callsJsonParse(node) && !JSON_PARSERS.some((parser) => path.startsWith(parser)))
      report(node, `JSON.parse only in ${JSON_HOME}: use its functions`);
    if (ts.isPropertyAccessExpression(node) && !OUTSIDE_PARTS.includes(part)) {
      const access = node.getText(source).replace(/\s+/g, '');
      if (OUTSIDE_ACCESS.has(access) || access.startsWith('console.')) {
        report(node, `${access} only inside platform and surfaces`);
      }
    }
    if (ts.isStringLiteralLike(node) && LANGUAGE_WORDS.has(node.text) && !isAllowedWord(node, path)) {
      report(
        node,
        `the language ${JSON.stringify(node.text)} is named outside ${LANGUAGE_HOMES.join(' and ')}`,
      );
    }
    const client = mayNameClients ? null : namedClient(node);
    if (client)
      report(node, `the client ${JSON.stringify(client)} is named outside ${CLIENT_HOME}: ask its table`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importedFrom(node: ts.Node): ts.StringLiteralLike | null {
  let specifier: ts.Node | undefined;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) specifier = node.moduleSpecifier;
  else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    specifier = node.arguments[0];
  } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    specifier = node.argument.literal;
  return specifier && ts.isStringLiteralLike(specifier) ? specifier : null;
}

/** `JSON.parse`, called or handed on; a script in a string is not code of this program. */
function callsJsonParse(node: ts.Node): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === 'parse' &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'JSON'
  );
}

function isTypeImport(node: ts.Node): boolean {
  return ts.isImportTypeNode(node) || (ts.isImportDeclaration(node) && !!node.importClause?.isTypeOnly);
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return (
    ts.canHaveModifiers(node) &&
    !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}

/** Modules, types and the names of parsing engines may be called like a language. */
function isAllowedWord(node: ts.StringLiteralLike, path: string): boolean {
  if (LANGUAGE_HOMES.some((home) => path.startsWith(home))) return true;
  const { parent } = node;
  if (importedFrom(parent) === node || ts.isLiteralTypeNode(parent)) return true;
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'engine';
  return ts.isBinaryExpression(parent) && /\bengine$/.test(parent.left.getText());
}

describe('the architecture', () => {
  it('holds in every source file', () => {
    const paths = sources();
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.flatMap((path) => breaches(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });
});

describe('the rules', () => {
  it.each([
    ['model/a.ts', "import type { X } from '../platform/x.ts';", 'model must not import platform'],
    ['config/a.ts', "import { x } from '../scan/parse/x.ts';", 'config must not import scan/parse'],
    ['context/fit/a.ts', "import { x } from '../render/x.ts';", 'context/fit must not import context/render'],
    ['context/fit/a.ts', "const x = await import('../../surfaces/cli/x.ts');", 'must not import surfaces'],
    ['context/fit/a.ts', "export { x } from '../pack.ts';", 'context/fit must not import context'],
    ['scan/link/a.ts', "type X = import('../format/x.ts').X;", 'must not import scan/format'],
    ['workers/a.ts', "import { x } from '../index.ts';", 'workers must not import index'],
    ['index.ts', "export { x } from './surfaces/cli/main.ts';", 'index must not import surfaces'],
    ['surfaces/hook/a.ts', "import { x } from '../server/x.ts';", 'must not import surfaces/server'],
    ['surfaces/hook/a.ts', "import { x } from '../install/x.ts';", 'must not import surfaces/install'],
    ['surfaces/mcp/a.ts', "import type { X } from '../cli/x.ts';", 'must not import surfaces/cli'],
    ['surfaces/shared/a.ts', "await import('../hook/x.ts');", 'must not import surfaces/hook'],
    ['surfaces/misc/a.ts', '', 'surfaces has no place'],
    ['pipeline.ts', '', 'the root of src has no place'],
    ['misc/a.ts', '', 'misc has no place'],
    ['stores/a.ts', "import { x } from 'node:fs/promises';", 'import node:fs/promises'],
    ['scan/a.ts', "import { x } from 'worker_threads';", 'import worker_threads'],
    ['scan/parse/a.ts', 'const x = process\n  .env.HOME;', 'process.env only inside'],
    ['scan/parse/a.ts', 'const x = Date.now();', 'Date.now only inside'],
    ['scan/parse/a.ts', 'console.log(1);', 'console.log only inside'],
    ['scan/parse/a.ts', 'const x = Math.random();', 'Math.random only inside'],
    ['context/a.ts', "import { x } from './x.test-kit.ts';", 'only tests import ./x.test-kit.ts'],
    ['workers/a.ts', 'const x = JSON.parse(text);', 'JSON.parse only in model/read-json.ts'],
    ['surfaces/cli/a.ts', 'const x = lines.map(JSON\n  .parse);', 'JSON.parse only in model/read-json.ts'],
    ['scan/parse/a.ts', "export * from './b.ts';", 'no `export *`'],
    ['scan/parse/a.ts', 'export default 1;', 'no default exports'],
    ['scan/parse/a.ts', 'export default function x() {}', 'no default exports'],
    ['scan/parse/a.ts', 'const x = 1;\nexport { x as default };', 'no default exports'],
    ['context/rank/a.ts', "if (file.language === 'python') boost();", 'the language "python" is named'],
    [
      'context/render/a.ts',
      'const names = new Map([[`TypeScript`, 1]]);',
      'the language "TypeScript" is named',
    ],
    ['surfaces/hook/a.ts', "if (call.client === 'codex') return;", 'the client "codex" is named'],
    ['surfaces/cli/a.ts', "const line = 'set up Claude Code first';", 'the client "Claude Code" is named'],
    ['surfaces/cli/a.ts', 'const line = `loadout init gemini $' + '{x}`;', 'the client "gemini" is named'],
    ['context/a.ts', "const files = ['AGENTS.md', 'CLAUDE.md'];", 'the client "CLAUDE" is named'],
    ['context/rank/a.ts', 'const own = /^\\.(codex|windsurf)\\//;', 'the client "codex" is named'],
    ['workers/a.ts', "import { qwen } from '../agents/qwen.ts';", 'the client "qwen" is named'],
    ['surfaces/mcp/a.ts', 'const LIMITS = { copilot: 20_000 };', 'the client "copilot" is named'],
    ['surfaces/mcp/a.ts', 'const limit = LIMITS.opencode;', 'the client "opencode" is named'],
    ['surfaces/install/a.ts', "if (client === 'cursor') return [];", 'the client "cursor" is named'],
    ['surfaces/install/a.ts', "const program = 'cursor-agent';", 'the client "cursor-agent" is named'],
    ['context/rank.ts', "import { x } from './fit/x.ts';", 'context/fit is private'],
    ['surfaces/cli/a.ts', "import type { X } from '../../workers/loop/x.ts';", 'workers/loop is private'],
    ['agents/a.ts', "import { x } from '../config/x.ts';", 'agents must not import config'],
    ['agents/a.ts', "import { x } from '../platform/x.ts';", 'takes only types from platform'],
  ])('catch %s: %s', (path, text, rule) => {
    const found = breaches(path, text);
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]).toMatch(new RegExp(`^src/${path}:\\d+: `));
    expect(found.join('\n')).toContain(rule);
  });

  it.each([
    ['context/fit/a.ts', "import { x } from '../../config/index.ts';\nimport { y } from './y.ts';"],
    [
      'surfaces/cli/a.ts',
      "import { x } from '../../workers/index.ts';\nimport { y } from 'node:fs';\nconsole.log(Date.now());",
    ],
    ['surfaces/server/a.ts', "import { x } from '../hook/index.ts';\nimport { y } from '../mcp/index.ts';"],
    ['context/pack.ts', "import { x } from './fit/index.ts';\nimport { y } from '../scan/index.ts';"],
    ['session/a.ts', "import { x } from '../context/roles/index.ts';\nawait import('../context/fit/x.ts');"],
    ['index.ts', "export { x } from './workers/index.ts';\nexport { y } from './surfaces/library/y.ts';"],
    ['scan/parse/languages/python.ts', "export const python = { id: 'python' };"],
    ['scan/parse/a.ts', "import ts from 'typescript';\nconst is = structure.engine === 'typescript';"],
    ['scan/parse/a.ts', '// Python and console.log in a comment\nconst format = "json";'],
    ['model/read-json.ts', 'export const read = (text: string): unknown => JSON.parse(text);'],
    ['scan/format/a.ts', "const rows = JSON.parse(file.section('rows').toString());"],
    [
      'agents/a.ts',
      '// JSON.parse in a comment\nconst script = `resolve(JSON.parse(text))`;\nDate.parse(text);',
    ],
    ['agents/claude.ts', "export const claude = { id: 'claude', name: 'Claude Code' };"],
    ['agents/a.ts', "import type { Environment } from '../platform/environment.ts';"],
    ['context/fit/models.ts', "const models = [{ pattern: /claude/, example: 'claude' }];"],
    ['context/fit/a.ts', "// Claude Code in a comment\nconst model = 'claude-opus-4-8';"],
    ['scan/format/a.ts', "const cursor = open('posting cursor');\ncursor.at = 1;"],
  ])('let through %s: %s', (path, text) => expect(breaches(path, text)).toEqual([]));
});

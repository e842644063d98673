// Prints the figures of the source tree and fails when one is beyond its limit: node scripts/house-figures.mjs [--json]
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { retiredNames } from './retired-words.mjs';

const root = process.env.LOADOUT_HOUSE_ROOT ?? fileURLToPath(new URL('..', import.meta.url));
const TEST_FILE = /\.(test|test-kit|contract)\.ts$/;
/** Folders that are tables: one file for each language. */
const TABLES = ['src/scan/parse/languages', 'src/scan/parse/resolvers'];
const MAIN_FLOW = 'src/surfaces/cli/commands/pack.ts';
const MAX_FOLDER = 20;

/** Limits that fail. Files and lines grow with features: the last were shell completion, the statistics and the set-up of all clients. */
const LIMITS = {
  files: { max: 580 },
  lines: { max: 90_000 },
  medianLines: { min: 80 },
  p95Lines: { max: 350 },
  largestFile: { max: 400 },
  rootFiles: { max: 1 },
  foldersOver20: { max: 0 },
  reachFromPack: { max: 349 },
  depthFromPack: { max: 8 },
  oneImporterSameFolder: { max: 100 },
  commentPercent: { min: 12 },
  retiredNames: { max: 0 },
};

function list(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return list(path);
    return path.endsWith('.ts') && !TEST_FILE.test(path) ? [path] : [];
  });
}

const IS_FEATURE_INDEX = /\/index\.ts$/;

/** The imports of a file from `src`, types included: the path, and the names where it lists them. */
function importsOf(path, text, known) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    let specifier;
    let named;
    if (ts.isImportDeclaration(node)) {
      specifier = node.moduleSpecifier;
      named = node.importClause?.namedBindings;
    } else if (ts.isExportDeclaration(node)) {
      specifier = node.moduleSpecifier;
      named = node.exportClause;
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      specifier = node.arguments[0];
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      specifier = node.argument.literal;
    if (specifier && ts.isStringLiteralLike(specifier) && specifier.text.startsWith('.')) {
      const target = normalize(join(dirname(path), specifier.text));
      const names = named?.elements?.map((element) => (element.propertyName ?? element.name).text);
      if (known.has(target)) found.push({ target, names });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The files behind an import: from the `index.ts` of a feature a reader goes on to the file that has the name. */
function filesBehind({ target, names }, imports) {
  if (!IS_FEATURE_INDEX.test(target) || names === undefined) return [target];
  const behind = imports.get(target).filter((one) => one.names?.some((name) => names.includes(name)));
  return [target, ...behind.flatMap((one) => filesBehind(one, imports))];
}

/** How many files a reader of one flow may have to open, and how far the last of them is away. */
function reachFrom(start, imports) {
  const depth = new Map([[start, 0]]);
  for (const [path, steps] of depth)
    for (const next of imports.get(path) ?? []) if (!depth.has(next)) depth.set(next, steps + 1);
  return { files: depth.size, depth: Math.max(...depth.values()) };
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

function measure() {
  const paths = list('src');
  const texts = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const known = new Set(paths);
  const listed = new Map([...texts].map(([path, text]) => [path, importsOf(path, text, known)]));
  // An `index.ts` only passes names on: it is a file to open, but it needs nothing itself.
  const imports = new Map(
    [...listed].map(([path, list]) => [
      path,
      new Set(IS_FEATURE_INDEX.test(path) ? [] : list.flatMap((one) => filesBehind(one, listed))),
    ]),
  );
  const importers = new Map(paths.map((path) => [path, new Set()]));
  for (const [path, targets] of imports) for (const target of targets) importers.get(target).add(path);
  for (const [path, list] of listed) for (const { target } of list) importers.get(target).add(path);
  const lines = [...texts.values()].map((text) => text.split('\n').length - 1).sort((a, b) => a - b);
  const total = lines.reduce((sum, count) => sum + count, 0);
  const comments = [...texts.values()].join('\n').match(/^\s*(?:\/\/|\/\*|\*)/gm)?.length ?? 0;
  const folders = Map.groupBy ? Map.groupBy(paths, dirname) : groupBy(paths, dirname);
  const large = [...folders].filter(([name, files]) => files.length > MAX_FOLDER && !TABLES.includes(name));
  const alone = paths.filter((path) => {
    const [first, second] = importers.get(path);
    return first !== undefined && second === undefined && dirname(first) === dirname(path);
  });
  const reach = reachFrom(MAIN_FLOW, imports);
  const retired = retiredNames(texts);
  return {
    figures: {
      files: paths.length,
      lines: total,
      medianLines: at(lines, 0.5),
      p95Lines: at(lines, 0.95),
      largestFile: lines.at(-1),
      rootFiles: paths.filter((path) => dirname(path) === 'src').length,
      foldersOver20: large.length,
      reachFromPack: reach.files,
      depthFromPack: reach.depth,
      oneImporterSameFolder: alone.length,
      commentPercent: Math.round((1000 * comments) / total) / 10,
      retiredNames: retired.length,
    },
    details: {
      foldersOver20: large.map(([name, files]) => `${name}: ${files.length} files`),
      retiredNames: retired.slice(0, 20),
    },
  };
}

function groupBy(values, key) {
  const groups = new Map();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return groups;
}

function limitText({ min, max }) {
  return min === undefined ? `at most ${max}` : `at least ${min}`;
}

const { figures, details } = measure();
const failed = Object.entries(LIMITS).filter(
  ([name, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }]) =>
    figures[name] < min || figures[name] > max,
);
if (process.argv.includes('--json'))
  console.log(JSON.stringify({ figures, details, limits: LIMITS }, null, 2));
else
  for (const [name, value] of Object.entries(figures))
    console.log(`${name.padEnd(24)} ${String(value).padStart(7)}   ${limitText(LIMITS[name])}`);
for (const [name] of failed) {
  console.error(`${name}: ${figures[name]} is beyond the limit (${limitText(LIMITS[name])})`);
  for (const line of details[name] ?? []) console.error(`  ${line}`);
}
process.exitCode = failed.length > 0 ? 1 : 0;

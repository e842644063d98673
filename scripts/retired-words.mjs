// Words that names in the source no longer use. docs/glossary.md has the words that took their place.
import ts from 'typescript';

/** Each with the word to use instead; matched against the parts of a name, as `hook` and `Desk` in `hookDesk`. */
export const RETIRED = [
  { word: /^desks?$/i, use: 'context' },
  { word: /^(?:shelf|shelves|shelved?)$/i, use: 'cache or store' },
  { word: /^doors?$/i, use: 'client or reader' },
  { word: /^worlds?$/i, use: 'environment' },
  { word: /^settles?$/i, use: 'the verb for what it does: validate, finish, resolve, flush' },
  { word: /^(?:MOST|LONGEST|LARGEST)$/, use: 'MAX' },
  { word: /^(?:LEAST|FEWEST|SHORTEST)$/, use: 'MIN' },
  { word: /^guardrails?$/i, use: 'guideline' },
];
/** Names that others chose, and the name of a command. */
const FOREIGN = new Set(['openWorldHint', 'allSettled', 'guardrails']);

/** The parts of a name: `readHookDesk` has `read`, `Hook` and `Desk`. */
function partsOf(name) {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
}

/** Every name in these texts that has a retired word, as `path:line: name: use ...`. Names of files count too. */
export function retiredNames(texts) {
  const found = [];
  for (const [path, text] of texts) {
    const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
    if (!FOREIGN.has(fileName)) for (const part of partsOf(fileName)) report(found, path, 0, fileName, part);
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      if (ts.isIdentifier(node) && !FOREIGN.has(node.text))
        for (const part of partsOf(node.text)) report(found, path, lineOf(source, node), node.text, part);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function lineOf(source, node) {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

function report(found, path, line, name, part) {
  const hit = RETIRED.find(({ word }) => word.test(part));
  if (hit) found.push(`${path}:${line}: ${name}: use ${hit.use}`);
}

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const keyOf = ({ set, id }) => `${set}\n${id}`;

/** Complete lines of a file; a run that was ended may have left half of one. */
function readLines(file) {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean);
}

/**
 * The results of a run so far, one line for each task, so that a run that was stopped can continue. Without a file they are
 * kept in memory alone.
 */
export function openTaskLog(file, chosen) {
  const wanted = new Set(chosen.map(keyOf));
  const lines = file ? readLines(file) : [];
  if (file) writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const entries = lines.map((line) => JSON.parse(line)).filter((entry) => wanted.has(keyOf(entry)));
  const known = new Set(entries.map(keyOf));
  return {
    entries,
    has: (task) => known.has(keyOf(task)),
    add(entry) {
      entries.push(entry);
      known.add(keyOf(entry));
      if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`);
    },
  };
}

/** The evidence of each task's candidates, the names of the columns first. Tasks that the log lacks are dropped. */
export function openFeatureFile(file, log) {
  const [header, ...tasks] = readLines(file);
  const kept = tasks.filter((line) => log.has(JSON.parse(line)));
  let hasHeader = kept.length > 0;
  writeFileSync(file, hasHeader ? [header, ...kept].map((line) => `${line}\n`).join('') : '');
  return {
    add(found) {
      const parts = hasHeader ? [found.line] : [found.header, found.line];
      appendFileSync(file, parts.map((part) => `${JSON.stringify(part)}\n`).join(''));
      hasHeader = true;
    },
  };
}

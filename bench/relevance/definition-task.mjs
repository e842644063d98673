// Collects the features of the definitions in a task's files, and which of them the real change touched.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a task whose definitions are kept for learning. */
const FILES = 30;

/** The lines of the old state that each change touches, by task: `lines.dev.jsonl` beside the instances of a set. */
export function readChangedLines(folder, set) {
  try {
    const text = readFileSync(join(folder, set, 'lines.dev.jsonl'), 'utf8');
    const rows = text.split('\n').filter(Boolean).map(JSON.parse);
    return new Map(rows.map(({ id, lines }) => [id, lines]));
  } catch {
    return new Map();
  }
}

const overlap = (ranges, first, last) =>
  ranges.reduce(
    (sum, [start, end]) => sum + Math.max(0, Math.min(end, last) - Math.max(start, first) + 1),
    0,
  );

/** A line for the learner: every definition of the first files with its features and the lines that were changed in it. */
export async function definitionsOfTask(engine, scan, settings, task, changed) {
  const { rankScan, loadHistory, createRankingContext, judgeDefinitions, definitionFeatures } = engine;
  const request = { task: task.task, settings: { ...settings, minRelevance: 0 }, limit: FILES };
  const { files: ranked, analysis } = await rankScan(scan, request);
  const history = await loadHistory(scan.repository, scan.result.gitSha, { limit: settings.historyLimit });
  const context = createRankingContext(scan.index, analysis, history);
  const scores = new Map(ranked.map(({ path, combinedScore }) => [context.fileAt(path), combinedScore]));
  const { byFile } = judgeDefinitions(context, [...scores.keys()], (file) => scores.get(file) ?? 0);
  const files = [...byFile].map(([file, units]) => {
    const { path } = context.files[file];
    const starts = lineStarts(scan, path);
    const ranges = changed[path] ?? [];
    return [
      path,
      units.map(({ unit: { startLine, endLine, codeLines }, evidence }) => [
        startLine,
        endLine,
        // long doc comments are not shown
        Math.round(
          (((starts[endLine] ?? starts.at(-1)) - starts[startLine - 1]) * codeLines) /
            (endLine - startLine + 1),
        ),
        overlap(ranges, startLine, endLine),
        ...definitionFeatures(evidence).map((value) => Math.round(value * 1e4) / 1e4),
      ]),
    ];
  });
  const { set, id, repo } = task;
  return { set, id, repo, changed, files };
}

function lineStarts(scan, path) {
  const starts = [0];
  const outcome = scan.repository.root.read(path, 1 << 26);
  const text = outcome.kind === 'content' ? outcome.bytes.toString() : '';
  for (const line of text.split('\n')) starts.push(starts.at(-1) + line.length + 1);
  return starts;
}

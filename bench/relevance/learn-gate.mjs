// Learns how sure a brief is, from the logs of `run.mjs --briefs --log TASKS` and `prompts.mjs --log PROMPTS`.
//
//   node bench/relevance/learn-gate.mjs TASKS PROMPTS
//
// A task is right when a file that its change touched is among the shown places. Prompts that need no code are wrong.
// Prints what the gate does with weights that were learned without the repository of a task (five parts), then the
// weights of all tasks, to be rounded into src/context/brief/gate.ts. Held-out prompts are only looked at.
import { readFileSync } from 'node:fs';
import { fitLogistic, partsByRepository, predict, printModel } from './logistic-regression.mjs';

const [tasksFile, promptsFile] = process.argv.slice(2);
if (!promptsFile) {
  console.error('usage: learn-gate.mjs TASKS PROMPTS');
  process.exit(2);
}
const PARTS = 5;
/** All prompts together count like this share of all tasks. */
const WEIGHT_OF_PROMPTS = 0.3;
const THRESHOLDS = [0.5, 0.6, 0.7, 0.75, 0.8, 0.9];

const read = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
const tasks = read(tasksFile)
  .filter(({ brief }) => brief)
  .map(({ repo, set, brief }) => ({ repo, set, x: brief.features, y: brief.hasFile, weight: 1 }));
const prompts = read(promptsFile);
const idle = prompts
  .filter(({ list }) => list === 'nothing-needed.dev')
  .map(({ features }, _, all) => ({
    x: features,
    y: 0,
    weight: (WEIGHT_OF_PROMPTS * tasks.length) / all.length,
  }));
const partOf = partsByRepository(tasks, PARTS);
const models = Array.from({ length: PARTS }, (_, part) => {
  return fitLogistic([...tasks.filter((task) => partOf(task) !== part), ...idle]);
});
const all = fitLogistic([...tasks, ...idle]);
const sure = tasks.map((task) => ({ ...task, confidence: predict(models[partOf(task)], task.x) }));
const percent = (some, is) => ((100 * some.filter(is).length) / (some.length || 1)).toFixed(1);
for (const threshold of THRESHOLDS) {
  const spoken = sure.filter(({ confidence }) => confidence >= threshold);
  const quiet = (list) =>
    percent(
      prompts.filter((prompt) => prompt.list === list),
      ({ features }) => predict(all, features) < threshold,
    );
  console.log(
    `from ${threshold}: silent on ${percent(sure, ({ confidence }) => confidence < threshold)} % of tasks, ` +
      `right in ${percent(spoken, ({ y }) => y === 1)} %; silent on ${quiet('nothing-needed.dev')} % of prompts that ` +
      `need nothing (held out ${quiet('nothing-needed.held-out')} %)`,
  );
}
printModel(all);

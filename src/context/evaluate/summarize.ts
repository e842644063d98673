import { type Measures, mean, meanMeasures } from './measures.ts';
import type { Answer, EvaluatedTask } from './replay-task.ts';

interface BudgetSummary {
  readonly budget: number;
  /** How often every changed file is in the package. */
  readonly all: number;
  /** Mean share of the changed files that are in. */
  readonly share: number;
}

export interface AnswerSummary extends Measures {
  readonly budgets: readonly BudgetSummary[];
}

export interface Summary {
  readonly commits: number;
  readonly ranking: AnswerSummary;
  readonly plain: AnswerSummary;
}

export function summarize(tasks: readonly EvaluatedTask[], budgets: readonly number[]): Summary {
  return {
    commits: tasks.length,
    ranking: summarizeAnswers(
      tasks.map(({ ranking }) => ranking),
      budgets,
    ),
    plain: summarizeAnswers(
      tasks.map(({ plain }) => plain),
      budgets,
    ),
  };
}

function summarizeAnswers(answers: readonly Answer[], budgets: readonly number[]): AnswerSummary {
  const known = budgets.filter((budget) => answers.every(({ packed }) => packed[budget] !== undefined));
  return {
    ...meanMeasures(answers.map(({ measures }) => measures)),
    budgets: known.map((budget) => ({
      budget,
      all: mean(answers.map(({ packed }) => (packed[budget] === 1 ? 1 : 0))),
      share: mean(answers.map(({ packed }) => packed[budget]!)),
    })),
  };
}

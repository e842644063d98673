import { describe, expect, it } from 'vitest';
import { goalLines, parseGoal } from './loop-context.ts';

describe('a goal', () => {
  it('comes back from the lines of goal.md', () => {
    const goal = {
      title: 'Add login',
      goal: 'With JWT.\n\nAnd tests.',
      acceptance: ['It works', 'It is tested'],
    };
    expect(parseGoal(`# Goal\n\n${goalLines(goal).join('\n')}\n`)).toEqual(goal);
  });

  it.each([
    ['Add login', { title: 'Add login', goal: 'Add login', acceptance: [] }],
    ['# Add login\r\n\r\nWith JWT.\r\n', { title: 'Add login', goal: 'With JWT.', acceptance: [] }],
    [
      '# Add login\n\nWith JWT.\n\n## Acceptance criteria\n\n- [ ] works\n* fast\n2. safe\n\nnothing',
      { title: 'Add login', goal: 'With JWT.', acceptance: ['works', 'fast', 'safe'] },
    ],
  ])('%j', (text, expected) => expect(parseGoal(text)).toEqual(expected));

  it('must say something', () => {
    expect(() => parseGoal(' \n')).toThrowError(/the goal is empty/);
  });
});

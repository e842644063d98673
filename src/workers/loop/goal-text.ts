import { LoadoutError } from '../../model/loadout-error.ts';
import type { TreeNode } from './tree/tree-node.ts';

export type GoalText = Pick<TreeNode, 'title' | 'goal' | 'acceptance'>;

const MAX_TITLE = 200;

/** Title, goal and acceptance, as they stand in `goal.md` and in the prompt. */
export function goalLines({ title, goal, acceptance }: GoalText): readonly string[] {
  return [`title: ${title}`, `goal: ${goal}`, 'acceptance:', ...acceptance.map((line) => `- ${line}`)];
}

/**
 * Reads what a user wrote about a goal: the lines of a `goal.md`, or any text whose first line is its title and whose
 * list under "acceptance" says when it is reached.
 */
export function parseGoal(text: string): GoalText {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const acceptanceAt = lines.findIndex((line) => /^#*\s*acceptance\b[\w ]*:?\s*$/i.test(line.trim()));
  const head = (acceptanceAt === -1 ? lines : lines.slice(0, acceptanceAt)).join('\n').trim();
  const listed = acceptanceAt === -1 ? [] : lines.slice(acceptanceAt + 1);
  const acceptance = listed.flatMap((line) => {
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/i.exec(line)?.[1] ?? '';
    return item.trim() === '' ? [] : [oneLine(item)];
  });
  const named = /^(?:#\s*Goal\s*\n+)?title:[ \t]*(.+)\n+goal:[ \t]*([\s\S]*)$/i.exec(head);
  if (named) return { title: oneLine(named[1]!), goal: named[2]!.trim(), acceptance };
  const [first = '', ...rest] = head.split('\n');
  const title = oneLine(first.replace(/^#+\s*/, ''));
  if (title === '') {
    throw new LoadoutError('empty-goal', 'the goal is empty', {
      hint: 'say in a line what is to be reached',
    });
  }
  return { title, goal: rest.join('\n').trim() || first.replace(/^#+\s*/, '').trim(), acceptance };
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
  const line = text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029\s]+/g, ' ').trim();
  return [...line].slice(0, MAX_TITLE).join('');
}

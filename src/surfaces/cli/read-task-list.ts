import { LoadoutError } from '../../model/loadout-error.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import type { CommandCall } from './command.ts';
import { readTask } from './read-task.ts';

export interface ListedTask {
  readonly task: string;
  readonly role?: string;
  readonly targets?: readonly string[];
}

const MAX_TASKS = 1_000;

/** A task a line, `#` for remarks; or a JSON list of texts and of `{ "task", "role", "targets" }`. */
export async function readTaskList(call: CommandCall, file: string): Promise<readonly ListedTask[]> {
  const text = await readTask({ ...call, arguments: [], flags: { taskFile: file } });
  const tasks = text.trimStart().startsWith('[') ? readJson(text, file) : readLines(text);
  if (tasks.length > 0 && tasks.length <= MAX_TASKS) return tasks;
  const message = `${file} holds ${tasks.length} tasks; allowed is 1 to ${MAX_TASKS}`;
  throw new LoadoutError('bad-task-list', message, { subject: file });
}

function readLines(text: string): ListedTask[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((task) => ({ task }));
}

function readJson(text: string, file: string): ListedTask[] {
  const { value, positions } = parseJsonDocument(text, file);
  return (value as unknown[]).map((item, at) => {
    const listed = typeof item === 'string' ? { task: item } : (item as Record<string, unknown> | null);
    const { task, role, targets, ...rest } = { ...listed } as Record<string, unknown>;
    const isSound =
      typeof task === 'string' &&
      task.trim() !== '' &&
      (role === undefined || typeof role === 'string') &&
      (targets === undefined ||
        (Array.isArray(targets) && targets.every((one) => typeof one === 'string'))) &&
      Object.keys(rest).length === 0;
    if (isSound) return listed as unknown as ListedTask;
    const line = positions.get(`/${at}`)?.line ?? 1;
    throw new LoadoutError('bad-task-list', `${file}:${line}: this is not a task`, {
      subject: file,
      hint: 'give a text, or an object with task and, if need be, role and targets',
    });
  });
}

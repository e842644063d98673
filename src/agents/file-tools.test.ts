import { describe, expect, it } from 'vitest';
import type { FileTool } from './file-tools.ts';
import { hooksOf } from './table.ts';

type Client = Parameters<typeof hooksOf>[0];

function usesOf(client: Client, tool: string, input: Record<string, unknown>, response: unknown = {}) {
  const tools: Readonly<Record<string, FileTool>> = hooksOf(client).fileTools ?? {};
  return tools[tool]!({ input, response }).map(({ how, path, lines, text }) => [
    how,
    path,
    lines,
    text ?? '',
  ]);
}

describe('files that tools read', () => {
  const file = { file: { filePath: 'a.ts', content: 'SECRET', startLine: 5, numLines: 3, totalLines: 90 } };

  it.each([
    ['claude', 'Read', { file_path: '/r/a.ts' }, file, [5, 7]],
    ['claude', 'Read', { file_path: '/r/a.ts', offset: 10, limit: 20 }, 'text', [10, 29]],
    ['claude', 'Read', { file_path: '/r/a.ts', limit: 20 }, null, [1, 20]],
    ['claude', 'Read', { file_path: '/r/a.ts' }, undefined, null],
    ['gemini', 'read_file', { file_path: '/r/a.ts', start_line: 3, end_line: 9 }, {}, [3, 9]],
    ['gemini', 'read_file', { file_path: '/r/a.ts', end_line: 9 }, {}, [1, 9]],
    ['copilot', 'view', { path: '/r/a.ts', view_range: [3, 9] }, {}, [3, 9]],
    ['qwen', 'read_file', { file_path: '/r/a.ts', offset: 2, limit: 2 }, {}, [3, 4]],
    ['qwen', 'read_file', { file_path: '/r/a.ts', offset: 0, limit: 2 }, {}, [1, 2]],
    ['qwen', 'read_file', { file_path: '/r/a.ts' }, {}, null],
    ['copilot', 'view', { path: '/r/a.ts', view_range: [3, -1] }, {}, null],
    ['copilot', 'str_replace_editor', { command: 'view', path: '/r/a.ts' }, {}, null],
    ['opencode', 'read', { filePath: '/r/a.ts', offset: 2, limit: 2 }, {}, [2, 3]],
    ['codex', 'Bash', { command: "sed -n '3,9p' /r/a.ts" }, {}, [3, 9]],
    ['codex', 'Bash', { command: 'sed -n 3,9p "/r/a.ts"' }, {}, [3, 9]],
    ['codex', 'Bash', { command: "nl -ba /r/a.ts | sed -n '3,9p'" }, {}, [3, 9]],
    ['codex', 'Bash', { command: 'head -n 40 /r/a.ts' }, {}, [1, 40]],
    ['codex', 'Bash', { command: 'cat -n /r/a.ts' }, {}, null],
  ] as const)('%s %s %j', (client, tool, input, response, lines) => {
    expect(usesOf(client, tool, input, response)).toEqual([['read', '/r/a.ts', lines, '']]);
  });

  it.each([
    'ls -la',
    'cat a.ts b.ts',
    'cat a.ts > b.ts',
    'cat $(find . -name a.ts)',
    'rm a.ts; cat a.ts',
    'cat *.ts',
    'head -n 40',
  ])('other commands do not count: %s', (command) => {
    expect(usesOf('codex', 'Bash', { command })).toEqual([]);
  });
});

describe('files that tools edit', () => {
  const patch = { structuredPatch: [{ oldStart: 4, oldLines: 1, newStart: 4, newLines: 3, lines: ['+x'] }] };

  it.each([
    ['claude', 'Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, patch, [4, 6], ''],
    ['claude', 'Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, {}, null, 'b'],
    ['claude', 'MultiEdit', { file_path: 'a.ts', edits: [{ new_string: 'b' }] }, {}, null, 'b'],
    ['claude', 'Write', { file_path: 'a.ts', content: 'one\ntwo\n' }, {}, [1, 2], ''],
    ['claude', 'NotebookEdit', { notebook_path: 'a.ts', new_source: 'b' }, {}, null, ''],
    ['gemini', 'replace', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, {}, null, 'b'],
    ['gemini', 'write_file', { file_path: 'a.ts', content: 'one' }, {}, [1, 1], ''],
    ['qwen', 'edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, {}, null, 'b'],
    ['qwen', 'write_file', { file_path: 'a.ts', content: 'one' }, {}, [1, 1], ''],
    ['copilot', 'edit', { path: 'a.ts', old_str: 'a', new_str: 'b' }, {}, null, 'b'],
    ['copilot', 'create', { path: 'a.ts', file_text: 'one\ntwo' }, {}, [1, 2], ''],
    ['copilot', 'str_replace_editor', { command: 'create', path: 'a.ts', file_text: 'one' }, {}, [1, 1], ''],
    ['opencode', 'edit', { filePath: 'a.ts', oldString: 'a', newString: 'b' }, {}, null, 'b'],
  ] as const)('%s %s', (client, tool, input, response, lines, text) => {
    expect(usesOf(client, tool, input, response)).toEqual([['edit', 'a.ts', lines, text]]);
  });

  it.each([
    ['codex', 'apply_patch', 'command'],
    ['codex', 'Bash', 'command'],
    ['opencode', 'apply_patch', 'patchText'],
    ['copilot', 'apply_patch', 'input'],
  ] as const)('%s %s: each file of a patch', (client, tool, field) => {
    const lines = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '@@ function a',
      ' one',
      '-two',
      '+three',
      '*** Add File: src/b.ts',
      '+x',
      '+y',
      '*** Update File: src/c.ts',
      '*** Move to: src/d.ts',
      '*** Delete File: src/e.ts',
      '*** End Patch',
    ];
    expect(usesOf(client, tool, { [field]: lines.join('\n') })).toEqual([
      ['edit', 'src/a.ts', null, 'one\nthree'],
      ['edit', 'src/b.ts', [1, 2], ''],
      ['edit', 'src/d.ts', null, ''],
      ['edit', 'src/e.ts', null, ''],
    ]);
  });
});

it.each(['claude', 'codex', 'copilot', 'gemini', 'opencode', 'qwen'] as const)(
  '%s: inputs of the wrong kind are ignored',
  (client) => {
    const odd = [null, 1, '', [], {}, [1], ['a'], { a: 1 }, 'x', -1, 1.5, Number.NaN];
    const names = ['file_path', 'path', 'command', 'edits', 'view_range', 'offset', 'limit'];
    for (const tool of Object.keys(hooksOf(client).fileTools!))
      for (const value of odd) {
        const input = Object.fromEntries(names.map((name) => [name, value]));
        const response = { file: value, structuredPatch: value };
        for (const [, , lines] of usesOf(client, tool, input, response)) expect(lines).toBeNull();
      }
  },
);

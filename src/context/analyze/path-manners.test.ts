import { describe, expect, it } from 'vitest';
import { analyzeTask } from './analyze-task.ts';

/** The manner of each mention of a path or module. */
function manners(text: string): Record<string, string> {
  return Object.fromEntries(analyzeTask(text).paths.map(({ path, manner }) => [path, manner]));
}

describe('the manner in which a task names files', () => {
  it.each([
    ['The bug is in src/a/token.ts', 'src/a/token.ts', 'text'],
    ['I think django.forms.fields drops it', 'django.forms.fields', 'text'],
    ['Use django.forms.fields, not the widget', 'django.forms.fields', 'text'],
    ['using django.forms.fields breaks the build', 'django.forms.fields', 'text'],
    ['See https://github.com/o/n/blob/main/src/a.ts#L4', 'src/a.ts', 'text'],
    ['src/a.ts, src/b.ts', 'src/b.ts', 'text'],
    ['Files: src/a.ts, src/b.ts', 'src/a.ts', 'text'],
    ['  File "/srv/app/run.py", line 4, in run', 'srv/app/run.py', 'trace'],
    ['from sympy.physics.units import meter', 'sympy.physics.units', 'import'],
    ['>>> import matplotlib.pyplot as plt', 'matplotlib.pyplot', 'import'],
    ["import { x } from './lib/parse.js';", 'lib/parse.js', 'import'],
    ["const x = require('./lib/parse.js');", 'lib/parse.js', 'import'],
    ['#include "table/block.h"', 'table/block.h', 'import'],
    ['import org.example.parse.Reader;', 'org.example.parse.Reader', 'import'],
    ['use std::collections::btree_map;', 'std.collections.btree_map', 'import'],
    ["extensions = ['sphinx.ext.autodoc', 'sphinx.ext.viewcode']", 'sphinx.ext.viewcode', 'list'],
    ["    'django.contrib.admin',", 'django.contrib.admin', 'list'],
    ['Sphinx extensions: sphinx.ext.autodoc, sphinx.ext.viewcode', 'sphinx.ext.autodoc', 'list'],
  ])('%j: %s is named in a %s', (line, path, manner) => {
    expect(manners(`Title of it\n\n\`\`\`\n${line}\n\`\`\``)[path] ?? manners(`Title\n\n${line}`)[path]).toBe(
      manner,
    );
  });

  it('a file that is imported and also named in a sentence is there in both manners', () => {
    const { paths } = analyzeTask(
      'Title\n\n```\n#include "table/block.h"\n```\n\nThe fault is in table/block.h itself.',
    );
    expect(paths.filter(({ path }) => path === 'table/block.h').map(({ manner }) => manner)).toEqual([
      'import',
      'text',
    ]);
  });
});

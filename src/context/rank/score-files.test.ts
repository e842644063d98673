import { describe, expect, it } from 'vitest';
import type { FileClass, FileRole } from '../../model/file-entry.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { TaskZone } from '../../model/task-analysis.ts';
import { filePrior } from './score-files.ts';

const NOTHING = { tests: 0, docs: 0, examples: 0 };

function prior(role: FileRole, about: Partial<typeof NOTHING> = {}, marks: Partial<FileClass> = {}): number {
  const classification = { role, generated: false, vendored: false, reasons: [], ...marks };
  return filePrior({ classification, path: 'a.ts' } as unknown as SnapshotFile, {
    about: { ...NOTHING, ...about },
    words: [],
  });
}

describe('the share of a score that a kind of file keeps', () => {
  it('is everything for source, whatever the task is about', () => {
    expect(prior('source')).toBe(1);
    expect(prior('source', { tests: 1, docs: 1, examples: 1 })).toBe(1);
  });

  it.each([
    ['test', 'tests'],
    ['docs', 'docs'],
    ['example', 'examples'],
  ] as const)('is little for %s, and everything when the task is about %s', (role, subject) => {
    expect(prior(role)).toBeLessThan(0.5);
    expect(prior(role, { [subject]: 1 })).toBe(1);
    const half = prior(role, { [subject]: 0.5 });
    expect(half).toBeGreaterThan(prior(role));
    expect(half).toBeLessThan(1);
  });

  it('does not turn around for another subject', () => {
    expect(prior('docs', { tests: 1, examples: 1 })).toBe(prior('docs'));
    expect(prior('test', { docs: 1, examples: 1 })).toBe(prior('test'));
    expect(prior('data', { tests: 1, docs: 1, examples: 1 })).toBe(prior('data'));
  });

  it('is less for generated and vendored files', () => {
    expect(prior('source', {}, { generated: true })).toBeLessThan(1);
    expect(prior('source', {}, { vendored: true })).toBeLessThan(1);
    expect(prior('test', { tests: 1 }, { vendored: true })).toBeLessThan(1);
  });

  it('is less for the set-up of agents, unless the task speaks of it', () => {
    const classification = { role: 'config', generated: false, vendored: false, reasons: [] } as const;
    const priorAt = (path: string, task: string) =>
      filePrior({ classification, path } as unknown as SnapshotFile, {
        about: NOTHING,
        words: task.split(' ').map((word) => ({ word, zone: 'title', count: 1 })),
      });
    for (const [path, name] of [
      ['.claude/settings.json', 'Claude'],
      ['.mcp.json', 'MCP'],
      ['.loadout/config.yml', 'loadout'],
    ] as const) {
      expect(priorAt(path, 'change the settings')).toBeLessThan(
        priorAt('app/settings.json', 'change the settings'),
      );
      expect(priorAt(path, `change the ${name} file`)).toBe(priorAt('app/file.json', 'change'));
    }
    expect(priorAt('src/.claude/x.json', 'change')).toBe(priorAt('app/settings.json', 'change'));
  });

  const priorFor = (path: string, task: string, zone: TaskZone = 'title', marks: Partial<FileClass> = {}) =>
    filePrior(
      {
        classification: { role: 'config', generated: false, vendored: false, reasons: [], ...marks },
        path,
      } as unknown as SnapshotFile,
      { about: NOTHING, words: task.split(' ').map((word) => ({ word, zone, count: 1 })) },
    );

  it('is more for settings when the task is about settings, and most for those that it names', () => {
    const other = priorFor('docker-compose.yml', 'fix the race');
    const about = priorFor('docker-compose.yml', 'change the build');
    expect(about).toBeGreaterThan(other);
    expect(about).toBeLessThan(1);
    expect(priorFor('docker-compose.yml', 'change the docker build')).toBe(1);
    expect(priorFor('package.json', 'bump package.json')).toBe(1);
    expect(priorFor('docker-compose.yml', 'change the docker build', 'trace')).toBe(other);
    // a subject without a word about settings is the program's
    expect(priorFor('docker-compose.yml', 'fix the compose race')).toBe(other);
  });

  it('is less for a migration, unless the task speaks of one', () => {
    const step = { role: 'source', migration: true } as const;
    expect(priorFor('a/0001_a.py', 'fix the race', 'title', step)).toBeLessThan(1);
    expect(priorFor('a/0001_a.py', 'fix the race', 'title', step)).toBeGreaterThan(0.25);
    expect(priorFor('a/0001_a.py', 'add a migration', 'title', step)).toBe(1);
    expect(priorFor('a/0001_a.py', 'change the schema', 'title', step)).toBe(1);
  });
});

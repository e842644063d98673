import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { settingsFor } from '../../../test/support/scan-kit.ts';
import { buildPackage } from '../../context/pack.ts';
import { useIndex } from '../../scan/index.ts';
import { createContinuationCache, createPackageCache, type McpContext } from './mcp-context.ts';

export const FILES: Readonly<Record<string, string>> = {
  '.gitignore': 'secret/\n',
  'src/auth/token.ts': `import { fetchJson } from '../http.ts';

/** Refreshes the access token before it expires. */
export class TokenRefresher {
  async refresh(token: string): Promise<string> {
    const { next } = await fetchJson('/refresh', token);
    return next;
  }

  isExpired(at: number): boolean {
    return at < 0;
  }
}
`,
  'src/http.ts': `export async function fetchJson(path: string, token: string): Promise<{ next: string }> {
  return { next: path + token };
}
`,
  'src/unrelated.ts': 'export const colour = 1;\n',
  'src/long.ts': Array.from({ length: 400 }, (_, at) => `export const value${at} = ${at};`).join('\n'),
  'secret/keys.txt': 'ignored and secret\n',
};

export interface SampleRepository {
  readonly home: string;
  readonly path: string;
  readonly cache: string;
  remove(): void;
}

export function sampleRepository(files: Readonly<Record<string, string>> = FILES): SampleRepository {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-mcp-')));
  const path = join(home, 'repository');
  writeFileSync(join(home, 'outside.txt'), 'not for anybody\n');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  execFileSync('git', ['init', '-q', '--initial-branch=main', path]);
  return {
    home,
    path,
    cache: join(home, 'cache'),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export interface TestContext extends McpContext {
  readonly gaps: (readonly [id: string, text: string])[];
  readonly lines: string[];
}

export function mcpContextFor({ path, cache }: SampleRepository): TestContext {
  const gaps: (readonly [string, string])[] = [];
  const lines: string[] = [];
  return {
    version: '1.2.3',
    repo: path,
    checkRepository: () => {},
    settings: settingsFor(cache),
    userDirectory: `${path}-config`,
    usualBudget: 6_000,
    buildPackage,
    withIndex: useIndex,
    readRole: async (role) => ({ role, alwaysInclude: [], tokenBudget: 3_000 }),
    recordGap: async (id, text, task) => {
      gaps.push([id, text]);
      return task;
    },
    log: (line) => void lines.push(line),
    packages: createPackageCache(),
    continuations: createContinuationCache(),
    gaps,
    lines,
  };
}

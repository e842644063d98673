import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Java {
  readonly home: string;
  readonly major: number;
  /** Version of the runner that this Java can start. */
  readonly runner: string;
}

const FOLDER = '/usr/lib/jvm';

function majorOf(home: string): number {
  const { stderr } = spawnSync(join(home, 'bin/java'), ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
}

/** The newest Java there is, or the one that LOADOUT_TEST_JAVA names; null without any that a cluster could run on. */
export function findJava(): Java | null {
  const { JAVA_HOME, LOADOUT_TEST_JAVA } = process.env;
  const installed = existsSync(FOLDER) ? readdirSync(FOLDER).map((name) => join(FOLDER, name)) : [];
  const found = (LOADOUT_TEST_JAVA ? [LOADOUT_TEST_JAVA] : [...(JAVA_HOME ? [JAVA_HOME] : []), ...installed])
    .filter((home) => existsSync(join(home, 'bin/java')))
    .map((home) => ({ home, major: majorOf(home) }))
    .sort((a, b) => b.major - a.major)[0];
  if (!found || found.major < 17) return null;
  return { ...found, runner: found.major >= 21 ? '3.8.0.0' : '2.19.1.0' };
}

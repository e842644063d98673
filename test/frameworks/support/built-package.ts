import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Workplace {
  /** A copy of examples/session, next to which packages are installed as a user has them. */
  readonly examples: string;
  /** The freshly built package, as it is published. */
  readonly loadout: string;
  remove(): void;
}

/** A folder of a user who has installed the package and the frameworks. */
export function createWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-examples-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const examples = join(folder, 'user', 'session');
  const loadout = join(folder, 'user', 'node_modules', 'loadout');
  try {
    mkdirSync(loadout, { recursive: true });
    symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'));
    cpSync(join(root, 'examples/session'), examples, { recursive: true });
    cpSync(join(root, 'package.json'), join(loadout, 'package.json'));
    const build = [join(root, 'scripts/build.mjs'), '--out', join(loadout, 'dist'), '--no-types'];
    execFileSync(process.execPath, build, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    remove();
    throw error;
  }
  return { examples, loadout, remove };
}

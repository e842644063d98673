import { librarySettings } from '../../config/library-settings.ts';
import type { Settings } from '../../config/settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunWorld } from '../run-request.ts';
import { createLoopWorld, type LoopWorkers } from './create-loop-world.ts';
import { type DriveOptions, type DriveResult, driveLoop } from './drive-loop.ts';
import { withLoop } from './open-loop.ts';

export interface TaskTreeRequest
  extends Omit<LoopWorkers, 'guards' | 'signal' | 'role'>,
    Pick<DriveOptions, 'most' | 'onStep' | 'onReport'> {
  readonly folder?: string | undefined;
  /** For nodes that name none; the implementer without it. */
  readonly role?: string;
  /** On top of the environment's variables and the defaults; `loopGuard` is the command that checks the work. */
  readonly settings?: Partial<Settings>;
  readonly signal?: AbortSignal;
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

const NO_GUARD: Diagnostic = {
  code: 'no-guard',
  severity: 'warning',
  message: 'there is no guard: a node passes when its worker says so (--guard COMMAND checks it)',
};

/**
 * Works on a task tree, one node an iteration, each with a worker that starts from nothing but the tree, the files and
 * what the attempt before it left.
 *
 * @example
 * await startLoop({ repository: '.', goal: 'Make login work' });
 * const { outcome } = await runTaskTree({ repository: '.', settings: { loopGuard: 'npm test' } }, createRunWorld());
 */
export function runTaskTree(request: TaskTreeRequest, world: RunWorld): Promise<DriveResult> {
  const { repository, folder, role = 'implementer', signal = new AbortController().signal } = request;
  const settings = librarySettings(request.settings);
  return withLoop(repository, folder, async (loop) => {
    // Before anything is started: what would be refused later is refused now.
    await loop.checkBranch();
    const guards = settings.loopGuard.trim() === '' ? [] : [settings.loopGuard];
    const source = { repository: loop.place.root.path, settings, loopFolder: loop.place.folder, signal };
    const buildPackage = settings.loopPackage
      ? async (task: string, bytes: number) => {
          const { buildLoopPackage } = await import('./loop-package.ts');
          return buildLoopPackage(source, task, bytes);
        }
      : null;
    const { loopWorld, diagnostics } = await createLoopWorld(
      { ...request, role, signal, guards },
      world,
      buildPackage,
    );
    const said = [...loop.diagnostics, ...diagnostics, ...(loopWorld.runGuard === null ? [NO_GUARD] : [])];
    request.onDiagnostics?.(said);
    return driveLoop(loop, loopWorld, {
      ...{ role, promptBytes: settings.loopPromptBytes, signal, most: request.most },
      ...(request.onDiagnostics === undefined ? {} : { onDiagnostics: request.onDiagnostics }),
      ...(request.onStep === undefined ? {} : { onStep: request.onStep }),
      ...(request.onReport === undefined ? {} : { onReport: request.onReport }),
    });
  });
}

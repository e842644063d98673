import { OWNER_ONLY, writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolderInside, moveAway, OWNER_FOLDER } from '../../platform/fs/make-folder.ts';
import { withoutSecrets } from '../../redact/outgoing-text.ts';
import type { LoopPlace } from './loop-place.ts';

export interface IterationLog {
  /** Absolute; workers may put files of their own there. */
  readonly folder: string;
  write(name: string, content: string): void;
}

/** A folder for one iteration. What an iteration of this number left when it was cut short stays, under another name. */
export function openIteration(place: LoopPlace, runId: string, iteration: number): IterationLog {
  const run = makeFolderInside(place.root.path, `${place.iterations}/${runId}`, OWNER_FOLDER);
  for (let cut = 1; place.root.stat(`${place.iterations}/${runId}/${iteration}`) !== null; cut += 1) {
    const name = `${iteration}.cut-short-${cut}`;
    if (place.root.stat(`${place.iterations}/${runId}/${name}`) === null)
      moveAway(`${run}/${iteration}`, `${run}/${name}`);
  }
  const folder = makeFolderInside(place.root.path, `${place.iterations}/${runId}/${iteration}`, OWNER_FOLDER);
  return {
    folder,
    write: (name, content) => writeFileAtomic(`${folder}/${name}`, withoutSecrets(content), OWNER_ONLY),
  };
}

/** Why the guard failed in an iteration: what was written about it, else all it said. */
export function readFailure(place: LoopPlace, runId: string, iteration: number): string | null {
  const folder = `${place.iterations}/${runId}/${iteration}`;
  return place.readText(`${folder}/failure.log`) ?? place.readText(`${folder}/guard.log`);
}

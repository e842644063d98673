/** The views of the page, in the order of their tabs. */
import type { View } from './view.ts';
import { packageView } from './views/package.tsx';
import { repositoryView } from './views/repository.tsx';
import { runsView } from './views/runs.tsx';
import { sessionsView } from './views/sessions.tsx';
import { whyView } from './views/why.tsx';

export const VIEWS: readonly View[] = [packageView, whyView, repositoryView, sessionsView, runsView];

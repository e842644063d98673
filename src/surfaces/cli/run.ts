/** Starts the program from its sources, without a build. Tests use it. */

import { run } from './main.ts';

/** Runs the program from its sources; the built program starts from `launch.ts`. */
process.exitCode = await run();

/** Starts the program from its sources, without a build. Tests use it. */

import { run } from './main.ts';

/** The program straight from its sources; what is built starts from `launch.ts`. */
process.exitCode = await run();

import { main } from './main.ts';
import { processIo } from './process-io.ts';

/** The program itself: `node dist/cli.js` and `bin/loadout.js` both come here. */
process.exitCode = await main(process.argv.slice(2), processIo());

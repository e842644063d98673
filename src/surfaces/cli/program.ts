import { main } from './main.ts';
import { processIo } from './process-io.ts';

/** The whole program on this process's own streams; resolves to its exit code. */
export const run = (): Promise<number> => main(process.argv.slice(2), processIo());

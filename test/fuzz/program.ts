// Runs inputs for `runner.ts`, in a process of its own.
import { serveClasses } from './child.ts';
import { FUZZ_CLASSES } from './classes.ts';

serveClasses(FUZZ_CLASSES);

import { cleanEnvironment } from './clean-environment.ts';

/** For every test file: the test and the processes that it starts see nothing of this machine's settings. */
const clean = cleanEnvironment();
for (const name of Object.keys(process.env)) if (!Object.hasOwn(clean, name)) delete process.env[name];
Object.assign(process.env, clean);

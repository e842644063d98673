import { defineConfig } from 'vitest/config';

/** These parts neither change the process nor keep state of their own, so their tests share one: it saves a third of the time. */
const SHARED = ['agents', 'config', 'context', 'model', 'redact', 'scan', 'schema', 'session', 'stores'];
const shared = SHARED.map((part) => `src/${part}/**/*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: ['test/support/clean-folder.ts'],
    setupFiles: ['test/support/clean-process.ts', 'test/support/property-seed.ts'],
    testTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'parts', include: shared, isolate: false } },
      {
        extends: true,
        test: { name: 'whole', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: shared },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/store/**/*.store.ts'],
    globalSetup: ['test/support/clean-folder.ts', 'test/store/start-cluster.ts'],
    setupFiles: ['test/support/clean-process.ts', 'test/support/property-seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    pool: 'forks',
    // one cluster, two cores
    maxWorkers: 1,
    fileParallelism: false,
  },
});

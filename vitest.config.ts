import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    // The CDK would check each template of each test against its schemas, seconds each: test/infra/rules.test.ts does it once.
    env: { CDK_VALIDATION: 'false' },
    // Tests wait for the engine more than they compute: two at a time keep two cores busy.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

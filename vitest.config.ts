import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    setupFiles: ['test/support/file-table.ts'],
    // The CDK would check each template of each test against its schemas, seconds each: test/infra/rules.long.test.ts does it once.
    // Nor need it know which line of ours made each of thousands of constructs.
    env: { CDK_VALIDATION: 'false', CDK_CONTEXT_JSON: '{"aws:cdk:disable-creation-stack-traces":true}' },
    // Tests wait for the engine, and for processes that they start: three at a time keep two cores busy.
    maxWorkers: 3,
    // Node runs what it imports as it stands: to transform each file first took longer, and code that was transformed runs slower.
    experimental: { viteModuleRunner: false },
    // Test files of a worker share what they import, the SDK and the CDK above all: importing it is long, tests are short.
    isolate: false,
    unstubEnvs: true,
    // No test is about its own time: what hangs is ended, on a machine however slow. Long runs have tests of some minutes.
    testTimeout: process.env.LONG_TESTS ? 1_200_000 : 300_000,
    hookTimeout: process.env.LONG_TESTS ? 1_200_000 : 300_000,
  },
});

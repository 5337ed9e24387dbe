import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { callThroughBundles } from '../support/bundles.ts';
import { evenly, isLong } from '../support/sampled.ts';

/** Runs the endpoint tests of one family against its bundles. A bundle that differs from its source fails them. */
const vouchers = operations.filter(({ family }) => family === 'vouchers');
/** Lists tests of one operation each. Other tests share a file with operations of other families. */
const tested = vouchers.flatMap((operation) =>
  [`${operation.name}.test.ts`, `${operation.name}.long.test.ts`]
    .filter((testFile) => existsSync(join(import.meta.dirname, '../functions', testFile)))
    .map((testFile) => ({ operation, testFile })),
);

test('most operations of the family have a test that runs against bundles', () => {
  expect(tested.length).toBeGreaterThan(vouchers.length / 3);
});

const called = evenly(tested, isLong ? 8 : 3);
await callThroughBundles(called.map(({ operation }) => operation));
// Each import has a different address, because the process may already have these modules.
for (const { testFile } of called) await import(`../functions/${testFile}?bundled`);

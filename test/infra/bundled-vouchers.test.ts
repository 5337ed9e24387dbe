import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { callThroughBundles } from '../support/bundles.ts';
import { sampled } from '../support/sampled.ts';

/** The endpoint tests of one family once more, as it is deployed: a bundle that behaves otherwise than its source fails them. */
const vouchers = operations.filter(({ family }) => family === 'vouchers');
/** Those whose tests are called as they are; others share a file with operations of other families. */
const tested = vouchers.filter(({ name }) => existsSync(join(import.meta.dirname, `../functions/${name}.test.ts`)));

test('much of the family can be called through its bundles', () => {
  expect(tested.length).toBeGreaterThan(vouchers.length / 3);
});

const called = sampled(tested, 3);
await callThroughBundles(called);
// By an address of their own: the process may have had these modules before.
for (const { name } of called) await import(`../functions/${name}.test.ts?bundled`);

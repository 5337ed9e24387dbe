import { operations } from '../../infra/operations.ts';
import { callThroughBundles } from '../support/bundles.ts';

/** The endpoint tests of one family once more, as it is deployed: a bundle that behaves otherwise than its source fails them. */
const vouchers = operations.filter(({ family }) => family === 'vouchers');
await callThroughBundles(vouchers);
// By an address of their own: the process may have had these modules before.
for (const { name } of vouchers) await import(`../functions/${name}.test.ts?bundled`);

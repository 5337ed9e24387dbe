import { afterAll, describe, expect, test } from 'vitest';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { conflicts, type Fault, faults } from '../support/faults.ts';
import { fair, openFair, published } from '../support/publishing.ts';

/**
 * Publications that are carried out without a reply. Their campaigns have no free code, so each new publication draws
 * a code.
 */

const proxy = await startFaultProxy();
const shop = await openFair({ ...fair, vouchers: [] });
afterAll(() => proxy.close());

/** Publishes in a separate container. `fault` affects the first attempts of the transaction. */
async function publishDespite(fault: Fault, attempts: number, body: object) {
  let met = 0;
  proxy.run(({ operation }) => {
    if (operation !== 'TransactWriteItems' || met >= attempts) return undefined;
    met += 1;
    return fault;
  });
  const { tableName } = shop.dependencies;
  const publish = caller(publishHandler, testDependencies({ dynamodb: proxy.client, tableName, clock: shop.clock }));
  const reply = await publish({ headers: shop.project.credentials, body });
  proxy.run();
  expect(met).toBeGreaterThan(0);
  return reply;
}

/** Returns the ids of the vouchers that the customer holds. */
async function held(customer: string): Promise<string[]> {
  const { data } = await shop.wallet(customer);
  return data.map(({ redeemable_id }: { redeemable_id: string }) => redeemable_id);
}

/** The number of attempts that the SDK makes. */
const allAttempts = 4;

const ways: [string, (customer: string) => object][] = [
  ['a source id', (customer) => ({ campaign: 'Gift', customer, source_id: `sent-${customer}` })],
  ['a source id of a referral', (customer) => ({ campaign: 'Mate', customer, source_id: `sent-${customer}` })],
  ['the one card of a programme', (customer) => ({ campaign: 'Club', customer })],
  ['the one voucher of a campaign', (customer) => ({ campaign: 'Once', customer })],
];

describe.each(ways)('with %s', (way, bodyFor) => {
  const lost = faults['is carried out, and its reply is lost'];

  test.each<[string, Fault]>([
    ['is lost', lost],
    ['is cut off', faults['is carried out, and its reply is cut off']],
    ['says that it is in progress', conflicts['is carried out, and told to be in progress']],
  ])('a publication whose reply %s once answers with the voucher that was given', async (what, fault) => {
    const customer = `once-${way}-${what}`.replaceAll(' ', '-');
    const { voucher } = published(await publishDespite(fault, 1, bodyFor(customer)));
    expect(await held(customer)).toEqual([voucher.id]);
  });

  test('a publication whose reply stays lost is the answer to the same request', async () => {
    const customer = `always-${way}`.replaceAll(' ', '-');
    const answered = published(await publishDespite(lost, allAttempts, bodyFor(customer)));
    const given = await held(customer);
    expect(given).toEqual([answered.voucher.id]);
    const first = published(await shop.publish(bodyFor(customer)));
    expect([first.voucher.id]).toEqual(given);
    expect(published(await shop.publish(bodyFor(customer)))).toEqual(first);
    expect(await held(customer)).toEqual(given);
  });
});

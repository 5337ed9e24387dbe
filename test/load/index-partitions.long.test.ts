import { expect, test } from 'vitest';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as updateOrder } from '../../functions/orders/update-order.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { caller } from '../support/call.ts';
import { observed, type SentCommand } from '../support/commands.ts';
import { newClient, testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

/** Counts the writes to each partition of an index. DynamoDB allows 1,000 units a second per partition, in any table. */

const unitsPerSecond = 1_000;
const calls = 64;

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the values of a write that name a partition of a list. */
function partitionsIn({ name, input }: SentCommand): string[] {
  return /Write|Put|Update/.test(name) ? textsIn(input).filter((text) => /^[^#]+#(?:LIST|COUNTED)#/.test(text)) : [];
}

/** A change of place writes twice: it removes the element from one partition and adds it to another. */
async function busiest(
  handler: Parameters<typeof caller>[0],
  writesEach: number,
  requestOf: (index: number) => object,
) {
  const written = new Map<string, number>();
  const dynamodb = observed(newClient(), {
    after: (command) => {
      for (const partition of partitionsIn(command)) written.set(partition, (written.get(partition) ?? 0) + writesEach);
    },
  });
  const call = caller(handler, testDependencies({ dynamodb }));
  for (let index = 0; index < calls; index++) {
    const { status, body } = await call(requestOf(index));
    expect([status, body]).toEqual([200, expect.anything()]);
  }
  const most = Math.max(...written.values());
  return (unitsPerSecond * calls) / most;
}

const tea = { code: 'TEA', type: 'DISCOUNT_VOUCHER', active: true, discount: { type: 'AMOUNT', amount_off: 100 } };

test('a project makes 3,000 orders a second, changes half of them, and redeems one code 3,000 times for new customers', async () => {
  const { credentials: headers } = await loadProject({ vouchers: [tea] });
  const items = (index: number) => [{ source_id: `tea-${index}`, quantity: 1, price: 500 }];
  const made = await busiest(createOrder, 1, (index) => ({
    headers,
    body: { source_id: `order-${index}`, status: 'CREATED', items: items(index) },
  }));
  expect(made).toBeGreaterThan(3_000);

  const changed = await busiest(updateOrder, 2, (index) => ({
    headers,
    params: { orderId: `order-${index}` },
    body: { metadata: { shelf: index } },
  }));
  expect(changed).toBeGreaterThan(1_500);

  const redeemed = await busiest(redeem, 1, (index) => ({
    headers,
    body: {
      redeemables: [{ object: 'voucher', id: 'TEA' }],
      customer: { source_id: `somebody-${index}`, name: 'Somebody' },
      order: { amount: 1_000 },
    },
  }));
  expect(redeemed).toBeGreaterThan(3_000);
});

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/events/send-event.ts';
import { caller } from '../support/call.ts';
import { clientWith, isTransaction } from '../support/client.ts';
import { testDependencies } from '../support/dependencies.ts';
import { itemsOf } from '../support/outbox.ts';
import { openShop, typesOf } from '../support/shop.ts';

describe('many at once', () => {
  test('twenty events for one new source id create one customer and twenty activities', async () => {
    const shop = await openShop();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => shop.send({ event: 'visited', customer: { source_id: 'rush' } })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.customer.id)).size).toBe(1);
    const list = await shop.activities('rush');
    expect(list.total).toBe(21);
    expect(typesOf(list)).toEqual(['customer.created', ...Array(20).fill('customer.custom_event')]);
  });

  test('twenty events on one card credit it twenty times, and its ledger has no gap', async () => {
    const shop = await openShop();
    const event = { event: 'review_written', customer: { id: 'cust_bob' }, loyalty: { code: 'BOB' } };
    const { balance: before } = await shop.card('BOB');
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop.send(event)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const ledger: { points: number; balance: number }[] = await shop.ledger('BOB');
    expect(ledger).toHaveLength(20);
    expect(await shop.card('BOB')).toMatchObject({ balance: ledger[0]?.balance });
    for (const [index, { points, balance }] of ledger.entries()) {
      expect(balance - points).toBe(ledger[index + 1]?.balance ?? before);
    }
  });
});

test('lasting conflicts end as 429 after several attempts, and nothing is written', async () => {
  const shop = await openShop();
  const { dynamodb } = testDependencies();
  const before = await itemsOf(shop.project.id, '');
  const client = clientWith(dynamodb, async (command, real) => {
    if (!isTransaction(command)) return real();
    throw new TransactionCanceledException({
      message: 'cancelled',
      $metadata: {},
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    });
  });
  const { status, headers, body } = await caller(
    handler,
    testDependencies({ dynamodb: client, patienceInMs: 300 }),
  )({
    headers: shop.project.credentials,
    body: { event: 'visited', customer: { id: 'cust_ada' } },
  });
  expect({ status, key: body.key, after: headers['Retry-After'] }).toEqual({
    status: 429,
    key: 'too_many_requests',
    after: expect.stringMatching(/^[1-3]$/),
  });
  expect(await itemsOf(shop.project.id, '')).toEqual(before);
});

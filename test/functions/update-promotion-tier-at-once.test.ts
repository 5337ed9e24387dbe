import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { handler as updateHandler } from '../../functions/promotions/update-promotion-tier.ts';
import { caller } from '../support/call.ts';
import { clientWith, isTransaction } from '../support/client.ts';
import { testDependencies, uniqueId } from '../support/dependencies.ts';
import { expectTiersListed } from '../support/listed.ts';
import { openTiers, tierIds } from '../support/updated-tiers.ts';

describe('updates at once', () => {
  test('of different fields of one tier both survive', async () => {
    const { project, update, read } = await openTiers();
    const replies = await Promise.all([
      update('promo_plain', { banner: 'Both' }),
      update('promo_plain', { hierarchy: 9, metadata: { c: 3 } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read('promo_plain')).toMatchObject({
      banner: 'Both',
      hierarchy: 9,
      metadata: { a: 1, b: { deep: true }, c: 3 },
    });
    await expectTiersListed(project.id, tierIds);
  });

  test('by twenty callers, some of the rank, leave every list right and lose nothing', async () => {
    const { project, update, read } = await openTiers();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const id = tierIds[index % 2] ?? '';
        return update(id, { metadata: { [`key${index}`]: index }, ...(index % 3 ? {} : { hierarchy: index }) });
      }),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const shown = await Promise.all(['promo_plain', 'promo_dated'].map((id) => read(id)));
    expect(
      shown.flatMap(({ metadata }) => Object.keys(metadata).filter((name) => name.startsWith('key'))),
    ).toHaveLength(20);
    await expectTiersListed(project.id, tierIds);
  });

  test('of two dates that contradict each other leave the tier with its dates in order', async () => {
    const { update, read } = await openTiers();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        update('promo_dated', {
          [index % 2 ? 'start_date' : 'expiration_date']: `2026-04-${10 + index}T00:00:00Z`,
        }),
      ),
    );
    for (const { status } of replies) expect([200, 400]).toContain(status);
    const { start_date, expiration_date } = await read('promo_dated');
    expect(start_date <= expiration_date).toBe(true);
  });

  test('make another update a 429 if they always win, and it changes nothing', async () => {
    const { project, read } = await openTiers();
    const { dynamodb } = testDependencies();
    const client = clientWith(dynamodb, async (command, real) => {
      if (!isTransaction(command)) return real();
      throw new TransactionCanceledException({
        message: 'another was faster',
        $metadata: {},
        CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }, { Code: 'None' }],
      });
    });
    const before = await read('promo_plain');
    const { body, headers } = await caller(
      updateHandler,
      testDependencies({ dynamodb: client, patienceInMs: 300 }),
    )({ params: { promotionTierId: 'promo_plain' }, headers: project.credentials, body: { banner: 'Late' } });
    expect(body).toMatchObject({ code: 429, key: 'too_many_requests' });
    expect(headers['Retry-After']).toMatch(/^[1-3]$/);
    expect(await read('promo_plain')).toEqual(before);
  });

  test('in the same moment behave the same', async () => {
    const { project, read } = await openTiers();
    const replies = await Promise.all(
      [1, 2, 3].map((hierarchy) =>
        caller(updateHandler)({
          params: { promotionTierId: 'promo_plain' },
          headers: project.credentials,
          body: { hierarchy, metadata: { [uniqueId('k')]: hierarchy } },
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(Object.keys((await read('promo_plain')).metadata)).toHaveLength(5);
    await expectTiersListed(project.id, tierIds);
  });
});

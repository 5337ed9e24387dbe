import { TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { takeBlock, useBlock } from '#engine/holds/blocks/block.ts';
import { recallBlocks } from '#engine/holds/blocks/open-blocks.ts';
import { readHolds } from '#engine/holds/items/hold-item.ts';
import { countExactly } from '#engine/holds/items/true-count.ts';
import { hold, release } from '#engine/holds/standing/hold.ts';
import { sweepHolds } from '#engine/holds/sweep-holds.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { clientWith } from '../../../support/client.ts';
import { newClient, testTime, uniqueId } from '../../../support/dependencies.ts';
import { afterLapse, bought, container, ids, type Offer, offerOf, sales } from '../../../support/offers.ts';

type Sent = Parameters<ReturnType<typeof newClient>['send']>[0];

/** Makes a container that remembers its writes, so that they can arrive again. */
function remembering(kind: 'UpdateCommand' | 'PutCommand' | 'TransactWriteCommand') {
  const sent: Sent[] = [];
  const client = clientWith(newClient(), (command, real) => {
    if (command.constructor.name === kind) sent.push(command as unknown as Sent);
    return real();
  });
  /** Delivers the first write again. Returns whether the table carried it out. */
  const arrives = async () => {
    const [first] = sent;
    if (!first) throw new Error(`no ${kind} was sent`);
    // DynamoDB forgets the token of a transaction after ten minutes.
    if ('ClientRequestToken' in first.input) Object.assign(first.input, { ClientRequestToken: crypto.randomUUID() });
    return newClient()
      .send(first)
      .then(
        () => true,
        () => false,
      );
  };
  return { client, arrives };
}

const exactly = ({ context, key }: Offer) =>
  countExactly({ table: context.table, project: context.project }, sales, { key, attribute: 'used' });

describe('the update of a hold that arrives again', () => {
  test('is refused while the hold stands', async () => {
    const offer = await offerOf();
    const { client, arrives } = remembering('UpdateCommand');
    await hold(offer.as(container({ client })), sales, offer.limit(5), 'a');
    expect(await arrives()).toBe(false);
    expect((await offer.stored()).used).toBe(1);
  });

  test('after the sale was settled is no use: reads leave it out, and it is subtracted once it has lapsed', async () => {
    const offer = await offerOf();
    const { client, arrives } = remembering('UpdateCommand');
    const till = offer.as(container({ client }));
    expect(await bought({ ...offer, context: till }, 5)).toBe(true);
    // The next sale of the container removes the settled hold.
    expect(await bought({ ...offer, context: till }, 5)).toBe(true);
    expect(await arrives()).toBe(true);
    expect((await offer.stored()).used).toBe(3);
    expect(await exactly(offer)).toBe(2);

    const others = Array.from({ length: 4 }, () => offer.as(container({ now: afterLapse })));
    const outcomes = await Promise.all(others.map((context) => bought({ ...offer, context }, 5)));
    expect(outcomes.filter(Boolean)).toHaveLength(3);
    expect((await offer.stored()).used).toBe(5);
    expect(await exactly(offer)).toBe(5);
  });

  test('is found by the sweep if nobody redeems any more', async () => {
    const offer = await offerOf();
    const { client, arrives } = remembering('UpdateCommand');
    const till = offer.as(container({ client }));
    for (let sale = 0; sale < 2; sale++) await bought({ ...offer, context: till }, 5);
    await arrives();
    const later = { ...offer.as(container({ now: afterLapse })) };
    const stored = { ...(await offer.stored()), pk: offer.key.pk, sk: offer.key.sk };
    await sweepHolds(later, stored, undefined, sales);
    expect((await offer.stored()).used).toBe(2);
    expect(readHolds(await offer.stored()).size).toBe(0);
  });

  test('after it was released is given back when it lapses', async () => {
    const offer = await offerOf();
    const { client, arrives } = remembering('UpdateCommand');
    const [id = ''] = ids(1);
    const { item } = await hold(offer.as(container({ client })), sales, offer.limit(5), id);
    await release(offer.context, offer.limit(5), id, item);
    expect(await arrives()).toBe(true);
    await bought({ ...offer, context: offer.as(container({ now: afterLapse })) }, 5);
    expect((await offer.stored()).used).toBe(1);
  });
});

describe('a lapsed hold whose sale was committed', () => {
  test('stays counted, also if the request that looks gets no answer at first', async () => {
    const offer = await offerOf();
    expect(await bought(offer, 5, newTimedId('redemption', testTime))).toBe(true);
    let cuts = 1;
    const client = clientWith(newClient(), (command, real) => {
      if (command.constructor.name !== 'PutCommand' || cuts-- <= 0) return real();
      throw new TransactionInProgressException({ message: 'in progress', $metadata: {} });
    });
    const later = offer.as(container({ client, now: afterLapse }));
    expect(await bought({ ...offer, context: later }, 5)).toBe(true);
    expect(cuts).toBeLessThan(1);
    expect((await offer.stored()).used).toBe(2);
  });
});

describe('the insert of a block that arrives again', () => {
  test.each([1, 3])('gives none of its %i uses away once they are used up', async (size) => {
    const offer = await offerOf();
    const { client, arrives } = remembering('PutCommand');
    const limit = offer.limit(size);
    const { block } = await takeBlock(offer.as(container({ client })), sales, limit, {
      by: { used: 1 },
      size,
      isSingle: false,
    });
    if (!block) throw new Error('no block was taken');
    const sell = () => {
      block.left -= 1;
      const record = insert(sales(offer.context.project.id, uniqueId('r_')), { sold: true });
      return commit(offer.context.table, [record, useBlock(block, 1, testTime)]);
    };
    for (let use = 0; use < size; use++) expect(await sell()).toBe(true);
    expect(await arrives()).toBe(false);
    const place = { key: offer.key, item: await offer.stored() };
    await recallBlocks(offer.context, place);
    expect((await offer.stored()).used).toBe(size);
    expect(await exactly(offer)).toBe(size);
    expect(await bought(offer, size)).toBe(false);
  });
});

describe('the transaction that takes a block back and arrives again', () => {
  test.each([0, 2])('after %i of its uses subtracts its rest once', async (sold) => {
    const offer = await offerOf();
    const size = 8;
    const { block } = await takeBlock(offer.context, sales, offer.limit(20), {
      by: { used: 1 },
      size,
      isSingle: false,
    });
    if (!block) throw new Error('no block was taken');
    for (let use = 0; use < sold; use++) {
      block.left -= 1;
      const record = insert(sales(offer.context.project.id, uniqueId('r_')), { sold: true });
      expect(await commit(offer.context.table, [record, useBlock(block, 1, testTime)])).toBe(true);
    }
    const { client, arrives } = remembering('TransactWriteCommand');
    await recallBlocks(offer.as(container({ client })), { key: offer.key, item: await offer.stored() });
    expect((await offer.stored()).used).toBe(sold);
    // Other sales follow, which a second subtraction would remove from the count.
    for (let sale = 0; sale < 8; sale++) await bought(offer, 20);
    expect(await arrives()).toBe(false);
    expect((await offer.stored()).used).toBe(sold + 8);
  });
});

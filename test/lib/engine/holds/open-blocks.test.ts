import { describe, expect, test } from 'vitest';
import { takeBlock, useBlock } from '#engine/holds/blocks/block.ts';
import { holdInCrowd, putBlockBack } from '#engine/holds/blocks/crowds.ts';
import { recallBlocks, resolveBlocks } from '#engine/holds/blocks/open-blocks.ts';
import type { Hold } from '#engine/holds/hold.ts';
import type { Block } from '#engine/holds/items/block-item.ts';
import { readHolds } from '#engine/holds/items/hold-item.ts';
import { crowdSize, hold } from '#engine/holds/standing/hold.ts';
import { retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { clientWith } from '../../../support/client.ts';
import { newClient, testTime, uniqueId } from '../../../support/dependencies.ts';
import { afterLapse, container, ids, type Offer, offerOf, sales } from '../../../support/offers.ts';

const soldWith = ({ context }: Offer, block: Block, amount = 1) =>
  commit(context.table, [
    insert(sales(context.project.id, uniqueId('r_')), { sold: true }),
    useBlock(block, amount, testTime),
  ]);

async function blockOf(offer: Offer, held: Hold, size: number): Promise<Block> {
  const { block } = await takeBlock(offer.context, sales, held, { by: { used: 1 }, size, isSingle: false });
  if (!block) throw new Error('no block was taken');
  return block;
}

test('at most ten holds are on the item, in less than a KB, however many containers come at once', async () => {
  const offer = await offerOf();
  const held = offer.limit(1_000_000);
  const before = JSON.stringify(await offer.stored()).length;
  let isOver = false;
  let most = { holds: 0, bytes: 0 };
  const watch = async () => {
    while (!isOver) {
      const stored = await offer.stored();
      const bytes = JSON.stringify(stored).length - before;
      most = { holds: Math.max(most.holds, readHolds(stored).size), bytes: Math.max(most.bytes, bytes) };
    }
  };
  const watching = watch();
  const outcomes = await Promise.all(
    ids(40).map((id) => {
      const context = offer.as(container());
      return retryOptimistically(context.table, () =>
        holdInCrowd(context, sales, { ...held, hasRoom: () => false }, id),
      );
    }),
  ).finally(() => {
    isOver = true;
  });
  await watching;
  expect(outcomes.filter(({ done }) => done)).toHaveLength(40);
  expect((await offer.stored()).used).toBe(40);
  expect(most.holds).toBeLessThanOrEqual(10);
  expect(most.bytes).toBeLessThan(1_024);
  expect(readHolds(await offer.stored()).size).toBe(crowdSize);
});

test('uses that containers reserve are taken back once when the limit refuses a caller, and nobody else uses them', async () => {
  const offer = await offerOf();
  const blocks = await Promise.all([10, 20, 30].map((size) => blockOf(offer, offer.limit(60), size)));
  for (const block of blocks) {
    block.left -= 1;
    expect(await soldWith(offer, block)).toBe(true);
  }
  const at = async () => ({ key: offer.key, item: await offer.stored() });
  const place = await at();
  expect((await hold(offer.context, sales, offer.limit(60), uniqueId('r_'))).done).toBe(false);
  const recalls = await Promise.all(Array.from({ length: 8 }, () => recallBlocks(offer.context, place)));
  expect(recalls).toContain(true);
  expect((await offer.stored()).used).toBe(3);
  for (const block of blocks) {
    block.left -= 1;
    expect(await soldWith(offer, block)).toBe(false);
  }
  expect(await recallBlocks(offer.context, await at())).toBe(false);
});

test('a use that is about to commit is not taken back, and a caller refused meanwhile waits for it', async () => {
  const offer = await offerOf();
  const held = offer.limit(1);
  const { block } = await takeBlock(offer.context, sales, held, { by: { used: 1 }, size: 1, isSingle: true });
  if (!block) throw new Error('no block was taken');
  expect(await recallBlocks(offer.context, { key: offer.key, item: await offer.stored() })).toBe(true);
  block.left -= 1;
  expect(await soldWith(offer, block)).toBe(true);
  expect((await offer.stored()).used).toBe(1);
});

test('a budget is reserved in blocks of its amounts, and their rest returns after they have lapsed', async () => {
  const offer = await offerOf();
  const amounts = [250, 300, 90];
  const client = container();
  await Promise.all(ids(crowdSize).map((id) => hold(offer.context, sales, { key: offer.key, by: { used: 0 } }, id)));
  let counted: unknown;
  for (const amount of amounts) {
    const held: Hold = { key: offer.key, by: { used: amount } };
    const outcome = await holdInCrowd(offer.as(client), sales, held, uniqueId('r_'));
    if (!outcome.block) throw new Error('the amount does not come from a block');
    expect(await soldWith(offer, outcome.block, amount)).toBe(true);
    putBlockBack(client, outcome.block);
    counted = outcome.item?.used;
  }
  expect(counted).toBe(250 + 300 + 90);
  expect((await offer.stored()).used).toBe(8 * 250);
  const late = offer.as(container({ now: new Date(afterLapse.getTime() + 60_000) }));
  await resolveBlocks(late, { key: offer.key, item: await offer.stored() });
  expect((await offer.stored()).used).toBe(250 + 300 + 90);
});

describe('a block that a request takes back before its container has settled it', () => {
  const size = 8;

  /** Takes a block through a client on which `storing` intercepts the insert of the block's item. */
  async function taking(
    storing: (real: () => Promise<unknown>, takeBack: () => Promise<unknown>) => Promise<unknown>,
    { inMs = 0 } = {},
  ) {
    const offer = await offerOf();
    await hold(offer.context, sales, { key: offer.key, by: { used: 3 } }, uniqueId('r_'));
    const other = offer.as(container({ now: new Date(testTime.getTime() + inMs) }));
    const takeBack = async () => {
      await blockOf(offer, offer.limit(60), size);
      // Resolves holds that have lapsed by then.
      await hold(other, sales, { key: offer.key, by: { used: 0 } }, uniqueId('r_'));
      await recallBlocks(other, { key: offer.key, item: await offer.stored() });
    };
    const client = clientWith(newClient(), (command, real) =>
      command.constructor.name === 'PutCommand' ? storing(real, takeBack) : real(),
    );
    const wanted = { by: { used: 1 }, size, isSingle: false };
    const taken = await takeBlock(offer.as(container({ client })), sales, offer.limit(60), wanted).catch(
      () => undefined,
    );
    return { offer, block: taken?.block };
  }

  /** Returns the count after every hold and block has lapsed. The three held uses have also lapsed. */
  async function countedAtLast(offer: Offer) {
    // Another block makes sure that a request looks for lapsed blocks.
    await blockOf({ ...offer, context: offer.as(container({ now: afterLapse })) }, offer.limit(60), size);
    const late = offer.as(container({ now: new Date(afterLapse.getTime() + 120_000) }));
    for (let look = 0; look < 3; look++) {
      await hold(late, sales, { key: offer.key, by: { used: 0 } }, uniqueId('r_'));
      await resolveBlocks(late, { key: offer.key, item: await offer.stored() });
    }
    return (await offer.stored()).used;
  }

  test('is subtracted once, if its container died', async () => {
    const { offer } = await taking(async (real, takeBack) => {
      await real();
      await takeBack();
      throw new Error('died');
    });
    expect((await offer.stored()).used).toBe(3);
    expect(await countedAtLast(offer)).toBe(0);
  });

  test.each([
    ['at once', 0],
    ['after its hold has lapsed', 2_500],
  ])('is not stored again by an insert that is repeated %s, and nobody uses it', async (_, inMs) => {
    const repeated = async (real: () => Promise<unknown>, takeBack: () => Promise<unknown>) => {
      await real();
      await takeBack();
      return real();
    };
    const { offer, block } = await taking(repeated, { inMs });
    expect(block).toBeUndefined();
    expect((await offer.stored()).used).toBe(3);
    expect(await countedAtLast(offer)).toBe(0);
  });
});

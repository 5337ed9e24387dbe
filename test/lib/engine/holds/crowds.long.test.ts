import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { takeBlock, useBlock } from '#engine/holds/blocks/block.ts';
import { holdInCrowd, putBlockBack } from '#engine/holds/blocks/crowds.ts';
import { resolveBlocks } from '#engine/holds/blocks/open-blocks.ts';
import type { Hold } from '#engine/holds/hold.ts';
import { type Block, blockRanges } from '#engine/holds/items/block-item.ts';
import { holdLifeInMs, readHolds } from '#engine/holds/items/hold-item.ts';
import { countExactly } from '#engine/holds/items/true-count.ts';
import { crowdSize, hold } from '#engine/holds/standing/hold.ts';
import { resolveLapsed } from '#engine/holds/standing/lapsed-holds.ts';
import { AmbiguousWriteError, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { clientWith } from '../../../support/client.ts';
import { fileTable, newClient, testTime, uniqueId } from '../../../support/dependencies.ts';

const offers = kind('OFFER', v.looseObject({ used: v.optional(v.number(), 0) }));
const sales = kind('SALE', v.object({ sold: v.literal(true) }));
const later = (inMs: number) => new Date(testTime.getTime() + inMs);
const afterLapse = later(2 * holdLifeInMs);
const eight = { by: { used: 1 }, size: 8, isSingle: false };

type Context = Parameters<typeof hold>[0];

async function offer(limit: number) {
  const projectId = uniqueId('proj_');
  const key = offers(projectId, 'everybody');
  const heldOf = (count = 0): Hold => ({
    key,
    by: { used: 1 },
    max: { attribute: 'used', value: limit },
    hasRoom: (uses) => count + uses <= limit,
    when: (on) => on.whenThere(),
  });
  const held = heldOf();
  const at = (now: Date, client = newClient()): Context => {
    const table = new Table(client, fileTable(), now, { patienceInMs: 60_000 });
    return { table, now, project: { id: projectId } } as unknown as Context;
  };
  const base = at(testTime);
  await commit(base.table, [insert(key, { used: 0 })]);
  const stored = async () => (await read(base.table, { item: key })).item;
  const open = async () => {
    const found = await Promise.all(blockRanges(projectId, key).map((all) => base.table.query(all)));
    // A block that was taken back is a tombstone.
    return found.flat().filter((block) => block.deleted_at === undefined);
  };
  const sell = (context: Context, id: string, block: Block | undefined) =>
    commit(context.table, [
      insert(sales(projectId, id), { sold: true }),
      ...(block ? [useBlock(block, 1, testTime)] : []),
    ]);
  /** Sells like a till, for a code with any room. */
  const buy = (context: Context) =>
    retryOptimistically(context.table, async () => {
      const id = uniqueId('r_');
      const outcome = await holdInCrowd(context, sales, heldOf((await stored())?.used), id);
      if (!outcome.done) return 'none left';
      const isSold = await sell(context, id, outcome.block);
      if (outcome.block) putBlockBack(context, outcome.block, { isUnused: !isSold });
      return isSold ? outcome : again;
    });
  /** Makes a container that arrives while a crowd holds, and that sells nothing. */
  const inRush = async () => {
    const client = newClient();
    const standing = readHolds(await stored()).size;
    const others = Array.from({ length: crowdSize - standing }, () => hold(base, sales, held, uniqueId('r_')));
    await Promise.all(others);
    return { client, at: (inMs: number) => at(later(inMs), client) };
  };
  const freed = async (now: Date) => {
    const context = at(now);
    const item = await stored();
    await resolveLapsed(context, sales, { key, item });
    return resolveBlocks(context, { key, item: await stored() });
  };
  /** The time is five seconds after all other events. */
  const exact = () => countExactly(at(later(10_000)), sales, { key, attribute: 'used' });
  return { key, held, at, base, stored, open, sell, buy, inRush, freed, exact };
}

describe('in a rush', () => {
  test('a container counts several uses at once, and uses them without another write of the shared item', async () => {
    const { inRush, buy, stored, open } = await offer(10_000);
    const rush = await inRush();
    const before = (await stored())?.used ?? 0;
    const numbers = new Set<unknown>();
    for (let use = 1; use <= 8; use++) {
      const bought = await buy(rush.at(150 + use));
      if (bought !== 'none left') numbers.add(bought.item.used);
      expect((await stored())?.used).toBe(before + 8);
      expect((await open()).map((block) => block.used)).toEqual(use < 8 ? [use] : []);
    }
    expect([...numbers]).toEqual(Array.from({ length: 8 }, (_, index) => before + 1 + index));
    expect([...readHolds(await stored()).keys()].filter((id) => id.startsWith('block'))).toEqual([]);
  });

  test('the last uses of a limit are not reserved, however many callers come at once', async () => {
    const { base, buy, open, stored } = await offer(31);
    await Promise.all(Array.from({ length: 30 }, () => buy(base)));
    expect([await open(), (await stored())?.used]).toEqual([[], 30]);
  });

  test('requests that a container serves at once never share a block', async () => {
    const { inRush, held, sell, stored, freed } = await offer(10_000);
    const rush = await inRush();
    const before = (await stored())?.used ?? 0;
    const container = rush.at(200);
    const ids = Array.from({ length: 20 }, () => uniqueId('r_'));
    // No holder has sold when the last one holds, so the speed of each does not matter.
    const outcomes = await Promise.all(ids.map((id) => holdInCrowd(container, sales, held, id)));
    const blocks = outcomes.flatMap(({ block }) => block ?? []);
    expect(new Set(blocks.map(({ key }) => key.pk + key.sk)).size).toBe(20);
    expect((await stored())?.used).toBe(before + 20 * 8);
    const sold = await Promise.all(ids.map((id, index) => sell(container, id, blocks[index])));
    expect(sold.filter(Boolean)).toHaveLength(20);
    expect(await freed(afterLapse)).toBe(true);
    // The holders that formed the crowd sold nothing.
    expect((await stored())?.used).toBe(before - crowdSize + 20);
  });

  test('containers together sell no more than the limit, and exactly the limit after their blocks have lapsed', async () => {
    const limit = 3_000;
    const { key, held, base, inRush, buy, stored, at, freed } = await offer(limit);
    const first = await inRush();
    const containers = [first, ...(await Promise.all([1, 2, 3].map(inRush)))];
    await base.table.change(key, {
      set: 'SET #u = :u',
      condition: '',
      names: { '#u': 'used' },
      values: { ':u': 2_400 },
    });
    let sold = 0;
    await Promise.all(
      containers.map(async (container) => {
        for (let turn = 0; turn < 20; turn++) if ((await buy(container.at(200 + turn))) !== 'none left') sold += 1;
      }),
    );
    const counted = (await stored())?.used ?? 0;
    expect(counted).toBeGreaterThanOrEqual(2_400 + sold);
    expect(counted).toBeLessThanOrEqual(limit);
    while (readHolds(await stored()).size > 0) await freed(afterLapse);
    const late = at(afterLapse);
    const rest = 20;
    const most = limit - rest - ((await stored())?.used ?? 0);
    expect(most).toBeGreaterThan(0);
    await hold(late, sales, { ...held, by: { used: most } }, uniqueId('r_'));
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        let own = 0;
        while (own < 1_000 && (await buy(late)) !== 'none left') own += 1;
        return own;
      }),
    );
    expect(outcomes.reduce((sum, own) => sum + own, 0)).toBe(rest);
    expect((await stored())?.used).toBe(limit);
  });
});

describe('after a rush, the count', () => {
  test.each([64, 200])('is exact after %i at once, whether or not another follows', async (callers) => {
    const { buy, inRush, stored, exact } = await offer(1_000_000);
    const rush = await inRush();
    expect([(await stored())?.used, await exact()]).toEqual([crowdSize, 0]);
    const lanes = Math.min(callers, 200);
    const lane = async (first: number) => {
      for (let index = first; index < callers; index += lanes) await buy(rush.at(200 + Math.floor(index / 20)));
    };
    await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
    expect((await stored())?.used).toBeGreaterThan(crowdSize + callers);
    expect(await exact()).toBe(callers);
    await buy(rush.at(5_000));
    expect(await exact()).toBe(callers + 1);
  });

  test('is exact while dead blocks are released, also if their containers died before the blocks existed', async () => {
    const { base, held, buy, inRush, freed, exact, at, stored } = await offer(1_000_000);
    const rush = await inRush();
    await Promise.all(Array.from({ length: 64 }, () => buy(rush.at(200))));
    const dying = clientWith(newClient(), (command, real) =>
      command.constructor.name === 'PutCommand' ? Promise.reject(new Error('dead')) : real(),
    );
    await expect(takeBlock(at(testTime, dying), sales, held, eight)).rejects.toThrow(AmbiguousWriteError);
    await hold(base, sales, held, uniqueId('r_'));
    const reads = await Promise.all([freed(afterLapse), ...Array.from({ length: 20 }, exact), freed(afterLapse)]);
    expect(new Set(reads.slice(1, -1))).toEqual(new Set([64]));
    while (readHolds(await stored()).size > 0) await freed(afterLapse);
    expect([(await stored())?.used, await exact()]).toEqual([64, 64]);
  });
});

describe('a block', () => {
  const taken = async () => {
    const shop = await offer(10_000);
    const { block } = await takeBlock(shop.base, sales, shop.held, eight);
    if (!block) throw new Error('no block was taken');
    const use = async (id = uniqueId('r_')) => {
      block.left -= 1;
      return shop.sell(shop.base, id, block);
    };
    return { ...shop, block, use };
  };

  test('of a dead container is released once, by any caller, and its uses stay counted', async () => {
    const { use, stored, freed, open } = await taken();
    for (let turn = 0; turn < 3; turn++) expect(await use()).toBe(true);
    expect((await stored())?.used).toBe(8);
    expect(await freed(later(holdLifeInMs - 1))).toBe(false);
    await Promise.all(Array.from({ length: 20 }, () => freed(afterLapse)));
    expect([(await stored())?.used, await open()]).toEqual([3, []]);
  });

  test('is used by nobody after its release, and its use is not sold', async () => {
    const { use, block, stored, freed } = await taken();
    await freed(afterLapse);
    expect([await use(), block.isOver]).toEqual([false, true]);
    expect((await stored())?.used).toBe(0);
  });

  test('is released or used, never both, if both happen at once', async () => {
    const { use, stored, freed } = await taken();
    const sold = await Promise.all([...Array.from({ length: 4 }, () => freed(afterLapse)), use()]);
    expect((await stored())?.used).toBe(sold.at(-1) === true ? 1 : 0);
  });

  test('is released by its hold if its container dies before the block exists', async () => {
    const { held, at, stored, freed } = await offer(10_000);
    const dying = clientWith(newClient(), (command, real) =>
      command.constructor.name === 'PutCommand' ? Promise.reject(new Error('dead')) : real(),
    );
    await expect(takeBlock(at(testTime, dying), sales, held, eight)).rejects.toThrow(AmbiguousWriteError);
    expect((await stored())?.used).toBe(8);
    await Promise.all([freed(afterLapse), freed(afterLapse)]);
    expect((await stored())?.used).toBe(0);
    expect(await freed(afterLapse)).toBe(false);
  });
});

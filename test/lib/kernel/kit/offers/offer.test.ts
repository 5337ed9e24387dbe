import { expect, test } from 'vitest';
import { promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { Offers } from '#kernel/kit/offers/offer.ts';
import {
  choosePart,
  nameNoted,
  notedParts,
  notedVersions,
  noteResource,
  versionPrefix,
} from '#kernel/kit/offers/offer-notes.ts';
import { commit } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { newClient, patienceOfCrowd, testDependencies, testTime, uniqueId } from '../../../../support/dependencies.ts';

const nameOfTier = (id: string) => nameNoted('promotion_tier', id);
const newOffers = () =>
  new Offers(
    (project, name) => promotionTiers(project, name.slice(nameOfTier('').length)),
    (_, item) => item.version,
  );

function project() {
  const id = uniqueId('proj_');
  const { tableName } = testDependencies();
  const table = new Table(newClient(), tableName, testTime, patienceOfCrowd);
  const write = (tier: string, version: string) =>
    commit(table, [
      { key: promotionTiers(id, tier), change: (update) => update.set(['version'], version) },
      ...noteResource(id, 'promotion_tier', { id: tier, version }),
    ]);
  const versions = async () => (await table.getMany([notedVersions(id)]))[0];
  return { id, table, write, versions };
}

/** A table on which some items are still in their old state. */
function behind(table: Table, old: ReadonlyMap<string, Attributes | undefined>): Table {
  const getMany = async (keys: readonly Key[]) => {
    const items = await table.getMany(keys);
    return keys.map((key, index) => (old.has(keyText(key)) ? old.get(keyText(key)) : items[index]));
  };
  return new Proxy(table, {
    get: (target, name) => (name === 'getMany' ? getMany : Reflect.get(target, name, target)),
  });
}

const valuesOf = (things: ReadonlyMap<string, { value: unknown }>) =>
  [...things].map(([name, { value }]) => `${name} ${String(value)}`).sort();

test('a change shows at once, and only the changed part is read', async () => {
  const { id, table, write, versions } = project();
  const offers = newOffers();
  await write('a', '1');
  await write('b', '1');
  const first = await offers.current(table, id, await versions());
  expect(valuesOf(first.things)).toEqual(['promotion_tier a 1', 'promotion_tier b 1']);
  expect(await offers.current(table, id, await versions())).toBe(first);

  await write('b', '2');
  const asked: string[] = [];
  const counting = new Proxy(table, {
    get: (target, name) => {
      if (name !== 'getMany') return Reflect.get(target, name, target);
      return (keys: readonly Key[]) => {
        asked.push(...keys.map(keyText));
        return target.getMany(keys);
      };
    },
  });
  const second = await offers.current(counting, id, await versions());
  expect(valuesOf(second.things)).toEqual(['promotion_tier a 1', 'promotion_tier b 2']);
  const part = choosePart(nameOfTier('b'));
  expect(asked).toEqual([notedParts(id, part), promotionTiers(id, 'b')].map(keyText));
});

test('a removed offer is no longer listed', async () => {
  const { id, table, write, versions } = project();
  const offers = newOffers();
  await write('a', '1');
  await offers.current(table, id, await versions());
  await commit(table, noteResource(id, 'promotion_tier', { id: 'a', version: undefined }));
  expect((await offers.current(table, id, await versions())).things.size).toBe(0);
});

test('a read that meets a transaction halfway is repeated, whichever item it met in its old state', async () => {
  const { id, table, write, versions } = project();
  await write('a', '1');
  const part = notedParts(id, choosePart(nameOfTier('a')));
  const old = await table.getMany([part, promotionTiers(id, 'a')]);
  const halfway = [part, promotionTiers(id, 'a')].map((key, index) => new Map([[keyText(key), old[index]]]));
  await write('a', '2');
  for (const late of halfway) {
    const offers = newOffers();
    await offers.current(behind(table, late), id, await versions());
    const next = await offers.current(table, id, await versions());
    expect(valuesOf(next.things)).toEqual(['promotion_tier a 2']);
    expect(await offers.current(table, id, await versions())).toBe(next);
  }
});

test('a hundred offers that twenty callers change at once are all noted correctly', async () => {
  const { id, table, write, versions } = project();
  const names = Array.from({ length: 100 }, (_, index) => `tier_${index}`);
  await Promise.all(
    Array.from({ length: 20 }, async (_, caller) => {
      for (const name of names.slice(caller * 5, caller * 5 + 5)) while (!(await write(name, `by ${caller}`)));
      while (!(await write('shared', `by ${caller}`)));
    }),
  );
  const { things, unsettled } = await newOffers().current(table, id, await versions());
  expect(things.size).toBe(101);
  expect(unsettled.size).toBe(0);
  const stored = await table.getMany([promotionTiers(id, 'shared')]);
  expect(things.get(nameOfTier('shared'))?.version).toBe(stored[0]?.version);
  expect(Object.keys((await versions()) ?? {}).filter((name) => name.startsWith(versionPrefix)).length).toBeLessThan(
    70,
  );
});

import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createEmptyTableClient } from '#kernel/table/empty-table.ts';
import { childKind } from '#kernel/table/kind.ts';
import { listing, walkListedFields } from '#kernel/table/listing.ts';
import { readChildren } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { testTime } from '../../../support/dependencies.ts';

const rules = childKind({ kind: 'RULES' }, 'RULE', v.object({ points: v.number() }));
const others = childKind({ kind: 'RULES' }, 'OTHER', v.object({}));
const list = listing('gsi2', 'OFFERS', { shards: 2 });

const client = createEmptyTableClient({
  itemOf: (kind) => (kind === 'RULE' ? { points: 3 } : undefined),
  listedIn: (partition) => (partition.endsWith('#OFFERS#mine#0') ? { code: 'A' } : undefined),
});
const table = new Table(client, 'nowhere', testTime);

test('a parent has one child of each kind that has an item, and of no other', async () => {
  expect(await readChildren(table, rules, 'proj', 'any')).toEqual([{ points: 3 }]);
  expect(await readChildren(table, others, 'proj', 'any')).toEqual([]);
});

test('a list has the one element that its index knows', async () => {
  const found = async (owner: string) => {
    const all = [];
    for await (const one of walkListedFields(table, list, ['proj', owner], { fields: ['code'] })) all.push(one);
    return all;
  };
  expect(await found('mine')).toEqual([{ code: 'A' }]);
  expect(await found('theirs')).toEqual([]);
});

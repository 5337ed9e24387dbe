import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { blockKey, newBlockId } from '#engine/holds/items/block-item.ts';
import { cards } from '#engine/ledger/card.ts';
import { itemMarks } from '#kernel/table/kind.ts';
import { handler as deleteVoucher } from '../../../functions/vouchers/delete-voucher.ts';
import { copyMissing } from '../../../infra/operator/restore/copy.ts';
import { caller } from '../../support/call.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { contentOf, newShop } from '../../support/restore-shop.ts';

const everything = { kinds: [] };

const ofCards = (kind: string) => kind === 'LEDGER' || kind === 'VOUCHER';

describe('a copy', () => {
  test('restores cards that were deleted for good a moment ago, with their ledgers', async () => {
    const { club, live, pair, side } = await newShop();
    const before = await contentOf(side);
    const { credentials: headers } = club.project;
    const dependencies = testDependencies({ tableName: live.tableName });
    const gone = await caller(deleteVoucher, dependencies)({ params: { code: 'BO' }, headers, query: 'force=true' });
    expect(gone.status).toBe(204);
    await copyMissing(pair, everything);
    const after = await contentOf(live);
    const ofBo = [...before].filter(([, { kind, code }]) => ofCards(kind?.S ?? '') && code?.S === 'BO');
    expect(ofBo).toHaveLength(3);
    for (const [key, item] of ofBo) expect(after.get(key)).toEqual(item);
  });

  test('puts no block of uses that was settled since', async () => {
    const { club, live, side, pair } = await newShop();
    const of = cards(club.project.id, (await club.voucher('BO')).id);
    const block = { ...itemMarks(blockKey(club.project.id, of, newBlockId())), size: 8, used: 0, attribute: 'used' };
    const { pk, sk } = blockKey(club.project.id, of, newBlockId());
    await side.dynamodb.send(new PutCommand({ TableName: side.tableName, Item: { ...block, pk, sk } }));
    const before = await contentOf(live);
    await copyMissing(pair, everything);
    expect(await contentOf(live)).toEqual(before);
  });
});

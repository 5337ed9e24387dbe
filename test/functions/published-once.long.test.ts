import { beforeAll, describe, expect, test } from 'vitest';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { caller } from '../support/call.ts';
import { clientWith } from '../support/client.ts';
import { testDependencies } from '../support/dependencies.ts';
import { expectRefused, type Fair, fair, openFair, published } from '../support/publishing.ts';

describe('a customer with one voucher per campaign', () => {
  let shop: Fair;
  beforeAll(async () => {
    shop = await openFair();
  });

  test('gets the same one again, and is refused another', async () => {
    const first = published(await shop.publish({ campaign: 'Once', customer: 'ada' }));
    expect(published(await shop.publish({ campaign: 'Once', customer: 'ada' }))).toEqual(first);
    expect(published(await shop.publish({ voucher: first.voucher.code, customer: 'ada' }))).toEqual(first);
    const other = first.voucher.code === 'ONCE-1' ? 'ONCE-2' : 'ONCE-1';
    expectRefused(await shop.publish({ voucher: other, customer: 'ada' }), 'voucher_cannot_be_published');
    expectRefused(
      await shop.publish({ campaign: 'Once', customer: 'ada', source_id: 'again' }),
      'voucher_cannot_be_published',
    );
  });

  test('may be requested for any campaign', async () => {
    const first = published(await shop.publish({ campaign: 'Pool', customer: 'eve' }));
    expect(published(await shop.publish({ campaign: 'Pool', customer: 'eve' }, 'join_once=true')).id).toBe(first.id);
    expect(published(await shop.publish({ campaign: 'Pool', customer: 'eve' })).id).not.toBe(first.id);
  });

  test('is refused one if a file has given them theirs', async () => {
    const held = { ...fair, vouchers: [{ ...fair.vouchers[3], holder_id: 'cust_bob' }] };
    const other = await openFair(held);
    expectRefused(
      await other.publish({ campaign: 'Once', customer: { id: 'cust_bob' } }),
      'voucher_cannot_be_published',
    );
  });

  test('gets one, however many requests come at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => shop.publish({ campaign: 'Once', customer: 'twenty' })),
    );
    expect(new Set(all.map((reply) => published(reply).id)).size).toBe(1);
    expect((await shop.wallet('twenty')).total).toBe(1);
  });
});

describe('a source id', () => {
  let shop: Fair;
  beforeAll(async () => {
    shop = await openFair();
  });

  test('sent twenty times at once belongs to one publication', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => shop.publish({ campaign: 'Pool', customer: 'sid', source_id: 'one' })),
    );
    expect(new Set(all.map((reply) => published(reply).id)).size).toBe(1);
    expect((await shop.wallet('sid')).total).toBe(1);
    expect(await shop.list('source_id=one')).toMatchObject({ total: 1, publications: [{ source_id: 'one' }] });
  });

  test('is refused if it was used for something else', async () => {
    const first = published(await shop.publish({ campaign: 'Pool', customer: 'uno', source_id: 'used' }));
    expect(published(await shop.publish({ campaign: 'camp_pool', customer: 'uno', source_id: 'used' }))).toEqual(first);
    for (const other of [
      { campaign: 'Pool', customer: 'due' },
      { campaign: 'Gift', customer: 'uno' },
      { voucher: first.voucher.code, customer: 'uno' },
    ]) {
      expectRefused(await shop.publish({ ...other, source_id: 'used' }), 'duplicate_source_id');
    }
    expect((await shop.list('source_id=used')).publications[0].id).toBe(first.id);
  });

  test.each(['before', 'after'] as const)(
    'repeats a request that breaks off %s its write exactly once',
    async (when) => {
      const body = { campaign: 'Pool', customer: `cut-${when}`, source_id: `cut-${when}` };
      const dynamodb = clientWith(shop.dependencies.dynamodb, async (command, real) => {
        if (command.constructor.name !== 'TransactWriteCommand') return real();
        if (when === 'after') await real();
        throw new Error('cut off');
      });
      const dying = caller(publishHandler, testDependencies({ dynamodb, patienceInMs: 45_000 }));
      // A publication that was carried out answers from its record.
      expect((await dying({ headers: shop.project.credentials, body })).status).toBe(when === 'after' ? 200 : 500);
      const { id } = published(await shop.publish(body));
      expect(published(await shop.publish(body)).id).toBe(id);
      expect((await shop.wallet(`cut-${when}`)).total).toBe(1);
    },
  );
});

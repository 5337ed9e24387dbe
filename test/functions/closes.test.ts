import { beforeAll, describe, expect, test } from 'vitest';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { caller } from '../support/call.ts';
import { advance, closing, listCloses, openClosing } from '../support/closes.ts';
import { type Club, entry } from '../support/loyalty.ts';

describe('a close', () => {
  let club: Club;
  let desk: ReturnType<typeof closing>;
  beforeAll(async () => {
    club = await openClosing('2026-06-15T12:00:00Z', { A: [{ points: 40, expires: '2026-06-30' }], B: 100 });
    desk = closing(club);
    expect((await club.transfer('A', [entry('B', 30)])).status).toBe(200);
    advance(club, '2026-07-20T12:00:00Z');
  });

  test('covers the last whole month by default, and points that expire with its last day expire in it, before their entry is written', async () => {
    expect((await club.transactions('A')).body.data.map(({ type }: { type: string }) => type)).toEqual([
      'POINTS_TRANSFER_IN',
    ]);
    const close = await desk.close();
    expect(close).toMatchObject({ from: '2026-06-01T00:00:00.000Z', at: '2026-07-01T00:00:00.000Z', cards_count: 2 });
    expect(close.months).toEqual([
      {
        month: '2026-06',
        from: close.from,
        to: close.at,
        points: {
          ...{ opening: 140, corrected: 0, opened: 0, earned: 0, spent: 0, returned: 0 },
          ...{ expired: 40, adjusted: 0, transferred: 0, closing: 100 },
        },
        liability: null,
      },
    ]);
  });

  test('has a statement, and a journal without lines while no estimate is valid', async () => {
    const [id] = (await listCloses(club, 'campaign_id=camp_club')).closes.map(({ id }: { id: string }) => id);
    expect(await desk.statement(id)).toEqual([
      'Campaign ID,Campaign,Month,From,To,Opening Points,Corrected,Opened,Earned,Spent,Returned,Expired,Adjusted,Transferred,Closing Points,Estimate ID,Opening Liability,Deferred,Revenue From Redemptions,Revenue From Estimates,Closing Liability',
      'camp_club,Name of camp_club,2026-06,2026-06-01T00:00:00.000Z,2026-07-01T00:00:00.000Z,140,0,0,0,0,0,40,0,0,100,,,,,,',
    ]);
    expect(await desk.journal(id)).toEqual(['Date,Account,Debit,Credit,Text,Campaign ID,Close ID']);
  });

  test('goes on where the last one ended, month by month, and says what deleted cards took along', async () => {
    expect((await club.transfer('A', [entry('B', 10)])).status).toBe(200);
    const params = { code: 'B' };
    await caller(deleteVoucher, club.dependencies)({ params, headers: club.project.credentials });
    advance(club, '2026-09-20T12:00:00Z');
    const { months } = await desk.close();
    expect(months.map(({ month, points }) => [month, points.opening, points.corrected, points.closing])).toEqual([
      // B had 70 when the month began, and its 10 went to A later.
      ['2026-07', 100, -70, 40],
      ['2026-08', 40, 0, 40],
    ]);
    expect(months[0]?.points.transferred).toBe(10);
  });

  test('is listed, newest first, and is deleted only before the closes that it goes on with', async () => {
    const { closes, total } = await listCloses(club, 'campaign_id=camp_club');
    expect([total, closes.map(({ at }: { at: string }) => at)]).toEqual([
      2,
      ['2026-09-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z'],
    ]);
    expect((await listCloses(club, 'campaign_id=camp_other')).total).toBe(0);
    const [second, first] = closes.map(({ id }: { id: string }) => id);
    expect((await desk.remove(first)).body).toMatchObject({
      code: 409,
      key: 'points_close_followed',
      resource_id: first,
    });
    for (const id of [second, first]) {
      expect((await desk.remove(id)).status).toBe(204);
      await expect(desk.statement(id)).rejects.toThrow('there is no file');
      expect((await desk.remove(id)).body).toMatchObject({ key: 'not_found', resource_type: 'points_close' });
    }
    expect((await desk.close()).from).toBe('2026-08-01T00:00:00.000Z');
  });

  test('keeps its figures when its files are deleted after 90 days', async () => {
    const { closes } = await listCloses(club, '');
    expect(closes[0].result).toEqual({ statement: { url: expect.any(String) }, journal: { url: expect.any(String) } });
    advance(club, '2026-12-20T12:00:00Z');
    const [later] = (await listCloses(club, '')).closes;
    expect([later.result, later.months]).toEqual([null, closes[0].months]);
  });
});

describe('a close is refused', () => {
  let club: Club;
  let desk: ReturnType<typeof closing>;
  beforeAll(async () => {
    club = await openClosing('2026-06-15T12:00:00Z');
    desk = closing(club);
  });

  test.each([
    [{ at: '2026-06-15T11:45:01Z' }, 'send 2026-06-15T11:45:00.000Z or earlier'],
    [{ at: '2026-05-01T00:00:00Z', from: '2026-05-01T00:00:00Z' }, 'at must be later than 2026-05-01T00:00:00.000Z'],
    [{ at: '2026-05-01T00:00:00Z', from: '2021-04-30T00:00:00Z' }, 'at most 60 months'],
    [{ sales: [{ month: '2026-04', amount: 1 }] }, 'sales has 2026-04: the close has the months 2026-05'],
    [{ sales: [1, 2].map((amount) => ({ month: '2026-05', amount })) }, '2026-05 repeats'],
    [{ sales: [{ month: '2026-13', amount: 1 }] }, 'must be a month'],
    [{ sales: [{ month: '2026-05', amount: -1 }] }, 'must be 0 or more'],
    [{ at: 'yesterday' }, 'must be an existing ISO 8601'],
    [{ opening_amount: 2 ** 60 }, 'must be an integer'],
  ])('for %j', async (body, details) => {
    expect((await desk.start(body)).body).toMatchObject({
      code: 400,
      key: 'invalid_payload',
      details: expect.stringContaining(details),
    });
  });

  test('for a campaign that does not exist, and an estimate too', async () => {
    for (const ask of [desk.start, desk.estimate]) {
      expect((await ask({ campaign_id: 'camp_nowhere' })).body).toMatchObject({ key: 'not_found' });
    }
  });

  test('while the last one is open, so of twenty at once one starts, and later ones begin at its end', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => desk.start()));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    for (const { body } of refused) expect(body).toMatchObject({ code: 409, key: 'points_close_open' });
    const [started] = replies.filter(({ status }) => status === 200);
    expect(await desk.read(started?.body.id)).toMatchObject({ status: 'SCHEDULED', months: [], result: null });
    expect((await desk.remove(started?.body.id)).status).toBe(204);
    const { at } = await desk.close();
    expect((await desk.start({ from: '2026-05-15T00:00:00Z', at: '2026-06-10T00:00:00Z' })).body).toMatchObject({
      key: 'invalid_payload',
      details: expect.stringContaining(`from must be absent or ${at}`),
    });
    expect((await desk.start()).body.details).toContain(`at must be later than ${at}`);
  });
});

import { describe, expect, test } from 'vitest';
import { countValidations } from '#engine/campaigns/count-validations.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as addNamed } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as getSummary } from '../../functions/campaigns/get-campaign-summary.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateVoucher } from '../../functions/vouchers/validate-voucher.ts';
import { caller } from '../support/call.ts';
import { countingRedemptions } from '../support/counted.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { couponCampaign } from '../support/lists.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { loadProject } from '../support/project.ts';

/** Summaries of campaigns count days of the project's zone, whether the request, the stream or the log counts. */

const campaign = couponCampaign('camp_1', 'Coupons', { type: 'AMOUNT', amount_off: 100 }, { type: 'AUTO_UPDATE' });

async function openShop(timezone: string) {
  const project = await loadProject({ campaigns: [campaign] });
  const manager = manageProjects();
  expect((await manager.update(project.id, { timezone })).status).toBe(200);
  const clock = standingClock();
  const lines: string[] = [];
  const dependencies = testDependencies({ clock, log: (line: string) => lines.push(line) });
  const ask = (handler: Parameters<typeof caller>[0], request: object) =>
    caller(handler, dependencies)({ headers: project.credentials, ...request });
  const { dynamodb, tableName } = dependencies;
  const table = new Table(dynamodb, tableName, clock());
  const countRedemptions = countingRedemptions(project.id, table);
  const deliver = (delivery: string) =>
    countValidations(
      table,
      clock(),
      lines.map((message, index) => ({ id: `${delivery}-${index}`, message })),
    );
  return {
    deliver,
    countRedemptions,
    move: (to: string) => manager.update(project.id, { timezone: to }),
    /** Makes a code, validates it and redeems it at a moment. */
    sellAt: async (time: string, code: string) => {
      clock.set(time);
      await ask(addNamed, { params: { campaignId: 'camp_1', code } });
      await ask(validateVoucher, { params: { code }, body: { order: { amount: 1_000 } } });
      const redeemables = [{ object: 'voucher', id: code }];
      expect((await ask(redeem, { body: { redeemables, order: { amount: 1_000 } } })).status).toBe(200);
    },
    summary: async (query: string) => {
      const { body } = await ask(getSummary, { params: { campaignId: 'camp_1' }, query });
      return [body.vouchers_created, body.validations, body.redemptions];
    },
    refusal: async (query: string) => (await ask(getSummary, { params: { campaignId: 'camp_1' }, query })).body,
  };
}

const of = (day: string) => `start_date=${day}&end_date=${day}`;

describe('the day of an event', () => {
  test.each([
    ['Europe/Oslo', '2026-06-14T21:59:59.999Z', '2026-06-14'],
    ['Europe/Oslo', '2026-06-14T22:00:00Z', '2026-06-15'],
    ['America/New_York', '2026-06-15T03:59:59Z', '2026-06-14'],
    ['America/New_York', '2026-06-15T04:00:00Z', '2026-06-15'],
    ['Asia/Kathmandu', '2026-06-14T18:15:00Z', '2026-06-15'],
    ['UTC', '2026-06-14T23:59:59Z', '2026-06-14'],
  ])('in %s at %s is %s for codes, validations and redemptions', async (zone, time, day) => {
    const shop = await openShop(zone);
    await shop.sellAt(time, 'A');
    await shop.deliver('1');
    await shop.countRedemptions();
    expect(await shop.summary(of(day))).toEqual([1, 1, 1]);
    expect(await shop.summary('')).toEqual([1, 1, 1]);
  });

  test('stays when the project moves to another zone, and later events count in the new zone', async () => {
    const shop = await openShop('Europe/Oslo');
    await shop.sellAt('2026-06-14T22:30:00Z', 'A');
    await shop.deliver('1');
    await shop.countRedemptions();
    await shop.move('America/New_York');
    expect(await shop.summary(of('2026-06-15'))).toEqual([1, 1, 1]);
    // The containers know the new zone after a minute.
    await shop.sellAt('2026-06-14T22:32:00Z', 'B');
    await shop.countRedemptions();
    expect((await shop.summary(of('2026-06-14')))[0]).toBe(1);
    expect((await shop.summary(of('2026-06-14')))[2]).toBe(1);
  });

  test('of validations counts once if their lines are delivered again around a change of the zone', async () => {
    const shop = await openShop('Europe/Oslo');
    await shop.sellAt('2026-06-14T22:30:00Z', 'A');
    await shop.deliver('1');
    await shop.move('America/New_York');
    await Promise.all(Array.from({ length: 20 }, () => shop.deliver('1')));
    expect((await shop.summary(''))[1]).toBe(1);
    expect((await shop.summary(of('2026-06-15')))[1]).toBe(1);
  });
});

describe('the days of a query', () => {
  test('are days as written, also if a moment is sent', async () => {
    const shop = await openShop('Europe/Oslo');
    await shop.sellAt('2026-06-14T22:30:00Z', 'A');
    const created = async (query: string) => (await shop.summary(query))[0];
    expect(await created(of('2026-06-15T00:00:00%2B02:00'))).toBe(1);
    expect(await created(of('2026-06-15T23:59'))).toBe(1);
    expect(await created(of('2026-06-14T22:30:00Z'))).toBe(0);
  });

  test.each(['2026-02-30', 'yesterday', '2026-06-15T25:00', '15.06.2026'])('refuse %s', async (text) => {
    const shop = await openShop('Europe/Oslo');
    const { key, details } = await shop.refusal(`start_date=${text}`);
    expect([key, details]).toEqual(['invalid_query_params', expect.stringContaining('start_date')]);
  });
});

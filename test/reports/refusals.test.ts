import { afterEach, expect, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { findRefusalFacts } from '#addons/reports/facts/refusal-facts.ts';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import { handler as validateTier } from '../../functions/promotions/validate-promotion-tier.ts';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { ValidationCounts } from '../../infra/local/validation-counts.ts';
import { itemsOf } from '../support/outbox.ts';
import { seeded } from '../support/seeded.ts';
import { openPacker } from './fact-bucket.ts';
import { openAthena } from './fake-athena.ts';
import { noFault, openStore, openWorld, type World } from './world.ts';

/** Refused validations are facts by the log lines of the requests, because a validation writes nothing to the table. */

const discount = { type: 'AMOUNT', amount_off: 100 };
const lists = {
  campaigns: [
    {
      ...{ id: 'camp_coupons', name: 'It\'s "free"', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE' },
      voucher: { type: 'DISCOUNT_VOUCHER', discount },
    },
    { id: 'camp_sale', name: 'Sale', campaign_type: 'PROMOTION', type: 'STATIC' },
  ],
  vouchers: [
    { code: 'GOOD', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_coupons' },
    { code: 'OFF', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_coupons', active: false },
    { code: 'OVER', type: 'DISCOUNT_VOUCHER', discount, expiration_date: '2020-01-01T00:00:00.000Z' },
  ],
  promotion_tiers: [
    { id: 'promo_off', name: 'Off', campaign_id: 'camp_sale', hierarchy: 1, action: { discount }, active: false },
  ],
};
const campaigns = new Map([
  ['OFF', 'camp_coupons'],
  ['promo_off', 'camp_sale'],
]);
const zone = 'Europe/Oslo';
const days = { from: '2026-06-01', to: '2026-12-31', timezone: zone };

// biome-ignore lint/suspicious/noExplicitAny: parts of replies.
type Item = any;

interface Refused {
  readonly reason: string;
  readonly day: string;
  readonly campaign: string;
  readonly code: string;
  readonly of: 'refused_validations' | 'failed_redemptions';
}

/** Plays random requests, and returns what their replies and the records of redemptions say about refusals. */
async function play({ call, clock, id, dependencies }: World, below: (bound: number) => number): Promise<Refused[]> {
  const refused: Refused[] = [];
  const note = (of: Refused['of'], name: string, reason: string, at: Date) =>
    refused.push({
      ...{ of, reason, day: formatDay(inTimezone(at, zone)), campaign: campaigns.get(name) ?? '' },
      code: ['OFF', 'OVER'].includes(name) ? name : '',
    });
  const order = { amount: 1_000 };
  for (let step = 0; step < 40; step++) {
    const names = ['GOOD', 'OFF', 'OVER', 'UNKNOWN'].filter(() => below(2) === 0);
    const redeemables = names.map((one) => ({ object: 'voucher', id: one }));
    const kind = below(4);
    if (kind === 0) {
      const params = { promotionTierId: 'promo_off', tierId: 'promo_off' };
      const { body } = await call(validateTier, { params, body: { order } });
      note('refused_validations', 'promo_off', body.error.key, clock());
    } else if (kind === 1) await call(validatePromotions, { body: { order } });
    else if (names.length > 0) {
      const { body } = await call(kind === 2 ? validate : redeem, { body: { redeemables, order } });
      if (kind === 2) {
        const shown = [...(body.redeemables ?? []), ...(body.inapplicable_redeemables ?? [])];
        const byId = new Map<string, Item>(shown.map((one: Item) => [one.id, one]));
        for (const { id: name, status, result } of byId.values()) {
          if (status === 'INAPPLICABLE') note('refused_validations', name, result.error.key, clock());
        }
      }
    }
    clock.advance(3_600 * (1 + below(30)));
  }
  for (const { object, result, failure_code, voucher_code, date } of await itemsOf(id, 'REDEMPTION', dependencies)) {
    if (object !== 'redemption' || result !== 'FAILURE') continue;
    note('failed_redemptions', String(voucher_code ?? ''), String(failure_code), new Date(String(date)));
  }
  return refused;
}

const eventsOf = ({ dependencies }: World) =>
  dependencies.lines.map((message, index) => ({ id: `37${index}`, message }));

test('the report of refusals equals the replies, with facts delivered twice, and Athena gives the same rows', async () => {
  const world = await openWorld(lists);
  const refused = await play(world, seeded(3));
  const facts = [...findRefusalFacts(eventsOf(world)), ...findFacts(await world.changes(), noFault)];
  const { store } = await openStore();
  const packer = await openPacker();
  packer.clock.set(world.clock());
  for (const again of [facts, findRefusalFacts(eventsOf(world))]) {
    await store.keep(again);
    await store.pack();
    await packer.deliver(again);
    if (again === facts) await packer.pack();
  }
  const { engine } = await openAthena(packer.bucket, { today: world.clock() });
  for (const by of ['reason', 'day', 'campaign', 'code'] as const) {
    const asked = { ...days, report: 'refusals', projectId: world.id, by, limit: 1_000, page: 1 } as const;
    const query = buildReportQuery(asked);
    const rows = await store.query(query);
    const expected = [...Map.groupBy(refused, (one) => one[by])].map(([key, all]) => ({
      group_key: key || null,
      refusals: all.length,
      refused_validations: all.filter(({ of }) => of === 'refused_validations').length,
      failed_redemptions: all.filter(({ of }) => of === 'failed_redemptions').length,
    }));
    const sorted = expected.sort((one, other) => ((one.group_key ?? '~') < (other.group_key ?? '~') ? -1 : 1));
    expect(
      rows.map(({ name: _, ...row }) => row),
      by,
    ).toEqual(sorted);
    expect(await engine.query(query), by).toEqual(rows);
  }
  expect(new Set(refused.map(({ reason }) => reason)).size).toBeGreaterThan(2);
  expect(new Set(refused.map(({ of }) => of)).size).toBe(2);
});

test('a log line names refused redeemables by id and reason, never by code, also if nothing has the code', async () => {
  const world = await openWorld(lists);
  for (const id of ['OFF', 'UNKNOWN']) {
    const redeemables = [{ object: 'voucher', id }];
    await world.call(validate, { body: { redeemables, order: { amount: 1_000 } } });
  }
  const lines = world.dependencies.lines.filter((one) => one.includes('"refused"'));
  expect(lines.flatMap((line) => JSON.parse(line).refused)).toEqual([
    ['voucher', expect.stringMatching(/^v_/), 'camp_coupons', 'voucher_disabled'],
    ['voucher', null, null, 'not_found'],
  ]);
  expect(lines.join('')).not.toMatch(/OFF|UNKNOWN/);
  const noise = ['text with "refused"', '{"refused": 5}', '{}'].map((message) => ({ id: '1', message }));
  expect(findRefusalFacts(noise)).toEqual([]);
});

let counts: ValidationCounts | undefined;
afterEach(() => counts?.flush());

test('the local server keeps refusals even if it cannot count for campaigns, and counts even if it cannot keep', async () => {
  const world = await openWorld(lists);
  const kept: unknown[] = [];
  const failures: unknown[] = [];
  const own = new ValidationCounts(() => {});
  counts = own;
  own.start({ ...world.dependencies, tableName: 'missing' }, (error) => failures.push(error));
  own.keepRefusals(async (facts) => {
    kept.push(...facts);
  });
  const redeemables = [{ object: 'voucher', id: 'OFF' }];
  await world.call(validate, { body: { redeemables, order: { amount: 1_000 } } });
  for (const line of world.dependencies.lines) own.log(line);
  await own.flush();
  expect([kept, failures]).toMatchObject([
    [{ table: 'refusals', row: { failure_code: 'voucher_disabled' } }],
    [{ name: 'ResourceNotFoundException' }],
  ]);
});

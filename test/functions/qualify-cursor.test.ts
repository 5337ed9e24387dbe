import { expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { caller } from '../support/call.ts';
import { coupon } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';
import { asking, day, off, shop, tiers } from '../support/qualifying.ts';

/** Returns all pages of one entry each, with the cursors between them. */
async function walked(ask: ReturnType<typeof asking>) {
  const [ids, cursors]: [string[], string[]] = [[], []];
  for (let from: string | undefined = ''; from !== undefined && ids.length < 100; ) {
    const { body, ids: page }: Awaited<ReturnType<typeof ask>> = await ask({
      options: { limit: 1, ...(from ? { starting_after: from } : {}) },
    });
    ids.push(...page);
    from = body.redeemables.more_starting_after;
    if (from !== undefined) cursors.push(from);
  }
  return { ids, cursors };
}

test('tiers of a promotion with one start have times of their own, by which pages continue', async () => {
  const { credentials: headers } = await loadProject({});
  const made = await caller(createCampaign)({
    headers,
    body: {
      ...{ name: 'Spring', campaign_type: 'PROMOTION' },
      promotion: {
        tiers: [1, 2, 3, 4].map((amount) => ({ name: `Tier ${amount}`, action: { discount: off(amount) } })),
      },
    },
  });
  expect(made.status).toBe(200);
  const all: { id: string; created_at: string }[] = made.body.promotion.tiers;
  const { ids, cursors } = await walked(asking(headers));
  expect(ids).toEqual(all.map(({ id }) => id).reverse());
  expect(cursors).toEqual(
    all
      .map(({ created_at }) => created_at)
      .slice(1)
      .reverse(),
  );
});

test('a cursor is a plain date and time, also between equal times of a file', async () => {
  const vouchers = Array.from({ length: 12 }, (_, index) => coupon(`CODE-${index}`, off(10), { created_at: day(2) }));
  const promotion_tiers = tiers(1, 2, 3).map((tier) => ({ ...tier, created_at: day(2) }));
  const ask = await shop({
    vouchers,
    promotion_tiers: [...promotion_tiers, ...tiers(4).map((one) => ({ ...one, id: 'promo_old' }))],
  });
  const { ids, cursors } = await walked(ask);
  const expected = [...vouchers.map(({ code }) => code), ...promotion_tiers.map(({ id }) => id), 'promo_old'];
  expect(ids.toSorted()).toEqual(expected.toSorted());
  expect(ids.at(-1)).toBe('promo_old');
  for (const cursor of cursors) {
    expect(cursor).toMatch(/^2026-05-0\dT00:00:00\.\d{3,}Z$/);
    expect(new Date(cursor).toISOString()).toBe(day(2));
  }
  expect(cursors.at(-1)).toBe(day(2));
  // A client that cuts a cursor to milliseconds continues after all of them.
  const { ids: rest } = await ask({ options: { starting_after: new Date(cursors[3] ?? '').toISOString() } });
  expect(rest).toEqual(['promo_old']);
});

test.each(['yesterday', '2026-05-01T00:00:00.000Z#voucher#v_1', '2026-05-01T00:00:00.1.2Z', ''])(
  '%j is refused as a cursor',
  async (starting_after) => {
    const ask = await shop({});
    const { status, body } = await ask({ options: { starting_after } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('options.starting_after');
  },
);

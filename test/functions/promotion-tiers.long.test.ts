import { beforeAll, describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as create } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as remove } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as disable } from '../../functions/promotions/disable-promotion-tier.ts';
import { handler as enable } from '../../functions/promotions/enable-promotion-tier.ts';
import { handler as get } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as listOf } from '../../functions/promotions/list-campaign-promotion-tiers.ts';
import { handler as update } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as listAssignments } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { expectTiersListed } from '../support/listed.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

function world({ id, credentials: headers }: TestProject) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (handler: Parameters<typeof caller>[0], request: object = {}) => {
    clock.advance(1);
    return caller(handler, dependencies)({ headers, ...request });
  };
  const at = (promotionTierId: string) => ({ params: { promotionTierId } });
  return {
    call,
    create: (body: object = {}, campaignId = 'camp_1') =>
      call(create, { params: { campaignId }, body: { name: 'A', ...body } }),
    get: (tier: string) => call(get, at(tier)),
    update: (tier: string, body: object) => call(update, { ...at(tier), body }),
    enable: (tier: string, request: object = {}) => call(enable, { ...at(tier), ...request }),
    disable: (tier: string) => call(disable, at(tier)),
    remove: (tier: string) => call(remove, at(tier)),
    names: async (campaignId = 'camp_1') => {
      const { body } = await call(listOf, { params: { campaignId }, query: 'limit=100' });
      return body.tiers.map(({ name }: { name: string }) => name).join('');
    },
    runOutbox: () => runOutbox(id, dependencies),
  };
}

const campaigns = [
  { id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' },
  { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
];
const load = () =>
  loadProject({
    campaigns,
    categories: [{ id: 'cat_1', name: 'Tea' }],
    validation_rules: [{ id: 'val_1', name: 'One' }],
  });

describe('a new promotion tier', () => {
  test('shows the sent fields, and its defaults', async () => {
    const { create, get } = world(await load());
    const sent = {
      name: 'Two bags',
      banner: 'Two bags: 5 % off',
      action: { discount: { type: 'PERCENT', percent_off: 5 } },
      metadata: { shelf: 'left' },
      start_date: '2026-01-01T00:00:00.000Z',
      validity_timeframe: { interval: 'P2D', duration: 'P1D' },
    };
    const { status, body } = await create({ ...sent, category: 'Tea', validation_rules: ['val_1'] }, 'One');
    expect([status, body]).toMatchObject([
      200,
      {
        ...sent,
        hierarchy: 1,
        active: true,
        campaign_id: 'camp_1',
        promotion_id: 'camp_1',
        campaign: { id: 'camp_1', active: true, object: 'campaign' },
        category_id: 'cat_1',
        categories: [{ name: 'Tea' }],
        validation_rule_assignments: { total: 1, data: [{ rule_id: 'val_1', related_object_id: body.id }] },
        summary: { redemptions: { total_redeemed: 0 }, orders: { total_amount: 0, total_discount_amount: 0 } },
        object: 'promotion_tier',
      },
    ]);
    expect(body.id).toMatch(/^promo_/);
    expect((await get(body.id)).body).toEqual(body);
  });

  test('is ranked behind all others, or at the sent rank, and moves none of them', async () => {
    const { create, update, remove, names } = world(await load());
    const ids = new Map<string, string>();
    const ranked = async (name: string, hierarchy?: number) => {
      const { body } = await create({ name, ...(hierarchy === undefined ? {} : { hierarchy }) });
      ids.set(name, body.id);
      return body.hierarchy;
    };
    expect([await ranked('A'), await ranked('B'), await ranked('C')]).toEqual([1, 2, 3]);
    expect([await ranked('D', 2), await ranked('E', 9), await ranked('F'), await ranked('G', -1)]).toEqual([
      2, 9, 10, -1,
    ]);
    expect(await names()).toBe('GABDCEF');
    await update(ids.get('A') ?? '', { hierarchy: 20 });
    expect(await ranked('H')).toBe(21);
    await remove(ids.get('B') ?? '');
    expect([await names(), await ranked('I')]).toEqual(['GDCEFAH', 22]);
    await ranked('J', Number.MAX_SAFE_INTEGER);
    expect(await ranked('K')).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('has a rank of its own when twenty are created at once', async () => {
    const { create, names } = world(await load());
    await create({ hierarchy: 5 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => create()));
    const ranks = replies.map(({ body }) => body.hierarchy).sort((one, other) => one - other);
    expect(ranks).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
    expect(await names()).toHaveLength(21);
  });

  test('is ranked behind tiers that a file or the campaign itself brought', async () => {
    const project = await loadProject({
      campaigns,
      promotion_tiers: [{ id: 'promo_1', name: 'F', campaign_id: 'camp_1', hierarchy: 7 }],
    });
    const { create, call } = world(project);
    expect((await create()).body.hierarchy).toBe(8);
    const body = { name: 'New', campaign_type: 'PROMOTION', promotion: { tiers: [{ name: 'A' }, { name: 'B' }] } };
    const { id } = (await call(createCampaign, { body })).body;
    expect((await create({}, id)).body.hierarchy).toBe(3);
  });

  describe('is refused', () => {
    let own: ReturnType<typeof world>;
    beforeAll(async () => {
      own = world(await load());
    });

    test.each([
      [{ name: '' }, 'name must not be empty'],
      [{ hierarchy: 1.5 }, 'hierarchy must be an integer'],
      [{ validity_timeframe: { interval: 'P2D', duration: 'P1D' } }, 'validity_timeframe'],
      [{ start_date: '2026-02-01T00:00:00Z', expiration_date: '2026-01-01T00:00:00Z' }, 'expiration_date'],
      [{ category: 'Tea', category_id: 'cat_1' }, 'category must not be sent together with category_id'],
      [{ validation_rules: ['val_1', 'val_1'] }, 'validation_rules must have at most 1'],
      [{ action: { discount: { type: 'HALF' } } }, 'action.discount.type must be one of'],
    ])('for %j', async (body, fault) => {
      const reply = await own.create(body);
      expect(reply.body).toMatchObject({ code: 400, key: 'invalid_payload', details: expect.stringContaining(fault) });
    });

    test.each([
      [{}, 'camp_nobody', 'campaign'],
      [{ category_id: 'cat_9' }, 'camp_1', 'category'],
      [{ validation_rules: ['val_9'] }, 'camp_1', 'validation_rules'],
    ])('for %j in %s', async (body, campaignId, type) => {
      const reply = await own.create(body, campaignId);
      expect(reply.body).toMatchObject({ code: 404, resource_type: type });
    });

    test('in a campaign of codes', async () => {
      expect((await own.create({}, 'camp_codes')).body).toMatchObject({ code: 400, key: 'invalid_campaign' });
    });
  });
});

describe('a promotion tier is disabled and enabled', () => {
  test('with an empty body, and repeats leave it unchanged', async () => {
    const project = await load();
    const own = world(project);
    const { body } = await own.create();
    const off = await own.disable(body.id);
    expect(off.body).toEqual({ ...body, active: false, updated_at: off.body.updated_at });
    expect(off.body.updated_at > body.created_at).toBe(true);
    expect((await own.disable(body.id)).body).toEqual(off.body);
    expect((await own.enable(body.id, { body: { active: false } })).body.active).toBe(true);
    await own.update(body.id, { banner: 'Hello' });
    expect((await own.get(body.id)).body).toMatchObject({ active: true, banner: 'Hello' });
    await expectTiersListed(project.id, [body.id]);
  });

  test('while others change it', async () => {
    const own = world(await load());
    const { id } = (await own.create()).body;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? own.update(id, { hierarchy: index, metadata: { [index]: true } }) : own.disable(id),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await own.get(id);
    expect([body.active, Object.keys(body.metadata)]).toEqual([false, expect.any(Array)]);
    expect(Object.keys(body.metadata)).toHaveLength(10);
  });
});

describe('a deleted promotion tier', () => {
  test('disappears with the assignments of its rules, and so do the tiers of a deleted campaign', async () => {
    const own = world(await load());
    const rule = (await own.call(createRule, { body: { name: 'Late' } })).body.id;
    const [first, second] = [
      (await own.create({ validation_rules: [rule] })).body.id,
      (await own.create({ validation_rules: [rule] })).body.id,
    ];
    const assigned = async () => {
      const { body } = await own.call(listAssignments, { params: { validationRuleId: rule } });
      return body.data.map(({ related_object_id }: { related_object_id: string }) => related_object_id);
    };
    expect((await own.remove(first)).status).toBe(204);
    expect(await assigned()).toEqual([second]);
    expect((await own.call(deleteCampaign, { params: { campaignId: 'camp_1' }, query: 'force=true' })).status).toBe(
      202,
    );
    for (const id of [first, second]) {
      const asked = [own.get(id), own.update(id, {}), own.enable(id), own.disable(id), own.remove(id)];
      for (const reply of await Promise.all(asked)) {
        expect(reply.body).toMatchObject({ code: 404, resource_type: 'promotion_tier', resource_id: id });
      }
    }
  });

  test('is deleted once by twenty callers at once', async () => {
    const own = world(await load());
    const { id } = (await own.create({ validation_rules: ['val_1'] })).body;
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.remove(id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)]);
  });
});

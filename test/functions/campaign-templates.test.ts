import { describe, expect, test } from 'vitest';
import { handler as listOfProject } from '../../functions/management/list-project-templates.ts';
import { handler as create } from '../../functions/templates/create-campaign-template.ts';
import { caller } from '../support/call.ts';
import { templateSource as source, templateWorld as world } from '../support/campaign-templates.ts';
import { testTime } from '../support/dependencies.ts';
import { couponCampaign } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

type Body = Record<string, unknown>;

const resources = ['products', 'skus', 'product_collections', 'segments'] as const;

describe('a campaign template', () => {
  test('keeps settings, discount and metadata, copies of the rules and of all that they name, and no more', async () => {
    const own = await world();
    const { status, body } = await own.create({ name: 'Tea', campaign_id: 'camp_tea', description: 'Each winter' });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^camp_tpl_/),
        name: 'Tea',
        description: 'Each winter',
        campaign_type: 'DISCOUNT_COUPONS',
        created_at: testTime.toISOString(),
        object: 'campaign_template',
      },
    ]);
    const { body: whole } = await own.get(body.id, 'expand=json_template');
    const { json_template: content, ...plain } = whole;
    expect(plain).toEqual(body);
    expect((await own.get(body.id)).body).toEqual(body);
    const [rule] = source.validation_rules;
    expect(content.validation_rules).toMatchObject([
      { name: rule?.name, rules: rule?.rules, bundle_rules: rule?.bundle_rules },
    ]);
    for (const name of resources)
      expect(content[name].map(({ id }: Body) => id).toSorted(), name).toEqual(
        source[name].map(({ id }) => id).toSorted(),
      );
    expect(content.settings).toEqual({
      description: 'For tea',
      type: 'STATIC',
      join_once: false,
      use_voucher_metadata_schema: true,
      start_date: '2026-01-01T00:00:00.000Z',
      metadata: { season: 'winter' },
      voucher: source.campaigns[0]?.voucher,
    });
  });

  test('of a tier makes coupons, and keeps the banner for tiers', async () => {
    const own = await world();
    const { body } = await own.create({ name: 'Cheap', promotion_tier_id: 'promo_tea' });
    expect(body.campaign_type).toBe('DISCOUNT_COUPONS');
    const made = await own.campaign(body.id, { name: 'Cheap tea' });
    expect(made.body.campaign).toMatchObject({
      campaign_type: 'DISCOUNT_COUPONS',
      metadata: { cup: 'blue' },
      expiration_date: '2030-01-01T00:00:00.000Z',
      voucher: { discount: { type: 'AMOUNT', amount_off: 100 } },
    });
    const tier = await own.tier(body.id, { campaign_id: 'Promo', name: 'Second', metadata: null });
    expect(tier.body.promotion_tier).toMatchObject({
      name: 'Second',
      banner: 'Tea!',
      metadata: {},
      hierarchy: 2,
      campaign_id: 'camp_promo',
      action: { discount: { amount_off: 100 } },
      validation_rules_assignments: [{ related_object_type: 'promotion_tier' }],
    });
  });

  test.each([
    [{ campaign_id: 'camp_club' }, 400, 'campaign_type_is_not_supported_by_campaign_template'],
    [{ campaign_id: 'camp_promo' }, 400, 'campaign_type_is_not_supported_by_campaign_template'],
    [{ campaign_id: 'camp_none' }, 404, 'not_found'],
    [{ promotion_tier_id: 'promo_none' }, 404, 'not_found'],
    [{ promotion_tier_id: 'promo_tea', campaign_id: 'camp_tea' }, 400, 'invalid_payload'],
    [{}, 400, 'invalid_payload'],
    [{ campaign_id: 'camp_tea', name: '' }, 400, 'invalid_payload'],
  ])('of %o is refused', async (sent, status, key) => {
    const own = await world();
    expect((await own.create({ name: 'Tea', ...sent })).body).toMatchObject({ code: status, key });
    expect((await own.list('include_total=true')).body).toMatchObject({ data: [], total: 0 });
  });

  test.each<[string, object, string]>([
    ['more rules than a template has', { rules: 21 }, 'the source has 21 rules of at most 20'],
    ['a rule about more products than a template has', { products: 101 }, 'name 101 products of at most 100'],
  ])(
    'of a campaign with %s is refused',
    async (_, { rules = 1, products = 1 }: { rules?: number; products?: number }, words) => {
      const ids = Array.from({ length: products }, (__, index) => `prod_${index}`);
      const about = { name: 'order.items.any', conditions: { $is: ids.map((id) => ({ id, object: 'product' })) } };
      const names = Array.from({ length: rules }, (__, index) => `val_${index}`);
      const { credentials: headers } = await loadProject({
        products: ids.map((id) => ({ id, name: id })),
        campaigns: [couponCampaign('camp_full', 'Full', { type: 'AMOUNT', amount_off: 100 })],
        validation_rules: names.map((id) => ({ id, name: id, rules: { 1: about, logic: '1' } })),
        validation_rules_assignments: names.map((id) => ({
          ...{ id: `asgm_${id}`, rule_id: id, related_object_id: 'camp_full', related_object_type: 'campaign' },
        })),
      });
      const { body } = await caller(create)({ headers, body: { name: 'Full', campaign_id: 'camp_full' } });
      expect(body).toMatchObject({ code: 400, key: 'invalid_payload', details: expect.stringContaining(words) });
    },
  );

  test('of a campaign with a deleted rule is refused, because its campaigns would have no limit', async () => {
    const { validation_rules: _, ...others } = source;
    const own = await world({
      ...others,
      validation_rules_assignments: source.validation_rules_assignments.map((one) => ({ ...one, rule_deleted: true })),
    });
    const { body } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    expect(body).toMatchObject({ code: 404, resource_type: 'validation_rules', resource_id: 'val_tea' });
  });

  test('has a name of its own: of ten at once one stays, also for new names and copies', async () => {
    const own = await world();
    const sent = { name: 'Tea', campaign_id: 'camp_gift' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => own.create(sent)));
    const made = replies.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(replies.find(({ status }) => status !== 200)?.body).toMatchObject({
      code: 409,
      key: 'duplicate_found',
      resource_type: 'campaign_template',
      resource_id: 'Tea',
    });
    const { body: other } = await own.create({ ...sent, name: 'Coffee' });
    expect((await own.update(other.id, { name: 'Tea' })).status).toBe(409);
    expect((await own.copy(other.id, { name: 'Tea', destination_project_id: own.project.id })).status).toBe(409);
    const renamed = await Promise.all(
      [made[0], { body: other }].map((one) => own.update(one?.body.id, { name: 'Milk' })),
    );
    expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await own.create(sent)).status).toBe(renamed[0]?.status === 200 ? 200 : 409);
  });

  test('changes its name and description, and can be deleted', async () => {
    const own = await world();
    const { body } = await own.create({ name: 'Tea', campaign_id: 'camp_gift', description: 'Old' });
    const changed = await own.update(body.id, { name: 'Gift', description: null });
    expect(changed.body).toEqual({
      id: body.id,
      name: 'Gift',
      campaign_type: 'GIFT_VOUCHERS',
      created_at: body.created_at,
      updated_at: testTime.toISOString(),
      object: 'campaign_template',
    });
    expect((await own.remove(body.id)).status).toBe(204);
    const replies = [
      await own.get(body.id),
      await own.update(body.id, { name: 'x' }),
      await own.remove(body.id),
      await own.campaign(body.id, { name: 'x' }),
      await own.tier(body.id, { name: 'x', campaign_id: 'camp_promo' }),
      await own.copy(body.id, { name: 'x', destination_project_id: own.project.id }),
    ];
    for (const reply of replies)
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'campaign_template', resource_id: body.id });
  });

  test('is listed by its id, with filters, a cursor and the total on request', async () => {
    const own = await world();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await own.create({ name, campaign_id: 'camp_gift' })).body.id);
    ids.push((await own.create({ name: 'd', campaign_id: 'camp_tea' })).body.id);
    const idsOf = ({ body }: Awaited<ReturnType<typeof own.list>>) => body.data.map(({ id }: Body) => id);
    expect(idsOf(await own.list())).toEqual(ids);
    expect(idsOf(await own.list('order=-id'))).toEqual(ids.toReversed());
    const first = await own.list('limit=2&filters[campaign_type][conditions][$is][0]=GIFT_VOUCHERS&include_total=true');
    expect(first.body).toMatchObject({ has_more: true, more_starting_after: ids[1], total: 3 });
    expect(first.body.data[0].json_template).toBeUndefined();
    expect(idsOf(await own.list(`starting_after_id=${ids[1]}`))).toEqual(ids.slice(2));
    expect((await own.list('starting_after_id=camp_tpl_none')).body.key).toBe('invalid_query_params');
    const managed = await caller(listOfProject)({ params: { projectId: own.project.id }, query: 'limit=100' });
    expect(idsOf(managed)).toEqual(ids);
  });
});

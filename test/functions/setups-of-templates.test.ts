import { describe, expect, test } from 'vitest';
import { templateSource as source, templateWorld as world } from '../support/campaign-templates.ts';

type Body = Record<string, unknown>;

const of = (created: { object: string; id: string }[], object: string) =>
  created.filter((one) => one.object === object).map(({ id }) => id);

describe('a campaign from a template', () => {
  test('has the fields of the template unless the request sends others, a rule of its own, and existing resources', async () => {
    const own = await world();
    const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    const { status, body } = await own.campaign(template.id, {
      name: 'Tea again',
      start_date: null,
      expiration_date: '2031-01-01T00:00:00Z',
      category_id: 'cat_drinks',
      vouchers_count: 2,
      voucher: { redemption: { quantity: 9 } },
    });
    expect(status).toBe(200);
    expect(body.object).toBe('campaign_setup');
    const [ruleId = ''] = of(body.created_resources, 'validation_rules');
    expect(body.created_resources).toEqual([{ id: ruleId, object: 'validation_rules' }]);
    const { campaign } = body;
    expect(campaign).toMatchObject({
      name: 'Tea again',
      description: 'For tea',
      metadata: { season: 'winter' },
      category_id: 'cat_drinks',
      expiration_date: '2031-01-01T00:00:00.000Z',
      voucher: { ...source.campaigns[0]?.voucher, redemption: { quantity: 9 }, code_config: { pattern: 'TEA-######' } },
      validation_rules_assignments: { data: [{ rule_id: ruleId, related_object_id: campaign.id }] },
    });
    expect(campaign.start_date).toBeUndefined();
    expect(campaign.access_settings_assignments).toBeUndefined();
    const original = await own.rule('val_tea');
    const clone = await own.rule(ruleId);
    expect(clone.rules).toEqual(original.rules);
    expect(clone.applicable_to).toEqual(original.applicable_to);
    expect((await own.campaignNamed('Tea again')).body.id).toBe(campaign.id);
  });

  test('works after its source was deleted with everything that the rules name: lacking resources come back once', async () => {
    const own = await world();
    const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    const elsewhere = await world({});
    const { body: copied } = await own.copy(template.id, { name: 'Tea', destination_project_id: elsewhere.project.id });
    expect(copied).toMatchObject({ name: 'Tea', campaign_type: 'DISCOUNT_COUPONS' });
    expect((await own.deleteCampaign('camp_tea')).status).toBe(202);
    const { body, status } = await elsewhere.campaign(copied.id, { name: 'New tea' });
    expect(status).toBe(200);
    const created = (object: string) => of(body.created_resources, object);
    expect(body.created_resources.map(({ object }: Body) => object).toSorted()).toEqual([
      'location',
      'product',
      'product',
      'products_collection',
      'products_collection',
      'segments',
      'sku',
      'validation_rules',
    ]);
    const products = await Promise.all(created('product').map(elsewhere.product));
    const tea = products.find(({ name }) => name === 'Tea');
    const pot = products.find(({ name }) => name === 'Pot');
    expect(tea).toMatchObject({ source_id: 'tea', price: 500, metadata: { leaf: 'green' } });
    const [skuId] = created('sku');
    expect(pot.skus.data ?? pot.skus.skus).toMatchObject([
      { id: skuId, product_id: pot.id, source_id: 'big', sku: 'Big' },
    ]);
    const collections = await Promise.all(created('products_collection').map(elsewhere.collection));
    const table = collections.find(({ name }) => name === 'Table');
    const found = collections.find(({ name }) => name === 'Found');
    expect(table.products).toEqual([
      { id: tea.id, object: 'product' },
      { id: skuId, product_id: pot.id, object: 'sku' },
    ]);
    expect(found.filter.id).toEqual({ conditions: { $is: [pot.id] } });
    const [locationId] = created('location');
    expect(found.filter['metadata.stall']).toEqual({ conditions: { $not_in_location: [locationId] } });
    const [segmentId = ''] = created('segments');
    expect(await elsewhere.segment(segmentId)).toMatchObject({
      name: 'Loyal',
      type: 'passive',
      filter: { ...source.segments[0]?.filter, 'metadata.home': { conditions: { $in_location: [locationId] } } },
    });
    const rule = await elsewhere.rule(created('validation_rules')[0] ?? '');
    expect(rule.rules[1].conditions).toEqual({ $is: [segmentId] });
    expect(rule.rules[2].conditions).toEqual({ $is: [{ id: tea.id, object: 'product' }, skuId] });
    expect(rule.rules[3].conditions).toEqual({ $from: [{ id: found.id, object: 'products_collection' }] });
    expect(rule.bundle_rules[1].conditions).toEqual({ $is: [{ id: pot.id, object: 'product' }] });
    expect(rule.applicable_to).toMatchObject({
      included: [{ object: 'products_collection', id: table.id }],
      excluded: [{ object: 'sku', id: skuId, product_id: pot.id }],
    });
    expect(body.campaign.voucher.discount).toMatchObject({ unit_type: tea.id, product: { id: tea.id, name: 'Tea' } });
    // The next setup uses what the first setup has created.
    const { body: second } = await elsewhere.campaign(copied.id, { name: 'More tea' });
    expect(second.created_resources.map(({ object }: Body) => object)).toEqual(['validation_rules']);
    expect(second.campaign.voucher.discount.unit_type).toBe(tea.id);
  });

  test('uses products of another project by their source ids', async () => {
    const own = await world();
    const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    const elsewhere = await world({ products: [{ id: 'prod_own', source_id: 'tea', name: 'Own tea' }] });
    const { body: copied } = await own.copy(template.id, { name: 'Tea', destination_project_id: elsewhere.project.id });
    const { body } = await elsewhere.campaign(copied.id, { name: 'New tea' });
    expect(of(body.created_resources, 'product')).toHaveLength(1);
    expect(body.campaign.voucher.discount.unit_type).toBe('prod_own');
  });

  test.each([
    [{ name: 'Tea time' }, 409, 'duplicate_found'],
    [{ name: 'New', category_id: 'cat_none' }, 404, 'not_found'],
    [{ name: 'New', expiration_date: '2020-01-01T00:00:00Z' }, 400, 'invalid_payload'],
    [{ name: 'New', voucher: { code_config: { pattern: 'A#' } }, vouchers_count: 100 }, 400, 'invalid_code_config'],
    [{}, 400, 'invalid_payload'],
  ])('with %o is refused, and nothing is created', async (sent, status, key) => {
    const own = await world();
    const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    expect((await own.campaign(template.id, sent)).body).toMatchObject({ code: status, key });
    expect(await own.rules()).toBe(1);
  });
});

describe('a promotion tier from a template', () => {
  test('has the discount, the times and a rule of the template', async () => {
    const own = await world();
    const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    const { body } = await own.tier(template.id, {
      campaign_id: 'camp_promo',
      name: 'Free tea',
      banner: 'Free!',
      hierarchy: 5,
      active: false,
    });
    expect(body.object).toBe('promotion_tier_setup');
    const [rule_id] = of(body.created_resources, 'validation_rules');
    const { promotion_tier: tier } = body;
    expect(tier).toMatchObject({
      name: 'Free tea',
      banner: 'Free!',
      hierarchy: 5,
      active: false,
      metadata: { season: 'winter' },
      start_date: '2026-01-01T00:00:00.000Z',
      action: { discount: { type: 'UNIT', unit_type: 'prod_tea' } },
      validation_rules_assignments: [{ rule_id, related_object_id: tier.id }],
    });
    expect((await own.storedTier(tier.id)).validation_rule_assignments.data).toEqual(tier.validation_rules_assignments);
  });

  test.each([
    ['camp_gift', { campaign_id: 'camp_promo' }, 400, 'campaign_type_is_not_supported_by_campaign_template'],
    ['camp_tea', { campaign_id: 'camp_tea' }, 400, 'invalid_campaign'],
    ['camp_tea', { campaign_id: 'camp_none' }, 404, 'not_found'],
    ['camp_tea', { campaign_id: 'camp_promo', category_id: 'cat_none' }, 404, 'not_found'],
    ['camp_tea', {}, 400, 'invalid_payload'],
  ])('of a template of %s with %o is refused, and nothing is created', async (campaign_id, sent, status, key) => {
    const own = await world();
    const { body: template } = await own.create({ name: 'Tea', campaign_id });
    expect((await own.tier(template.id, { name: 'New', ...sent })).body).toMatchObject({ code: status, key });
    expect(await own.rules()).toBe(1);
  });
});

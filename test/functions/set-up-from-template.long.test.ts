import { describe, expect, test } from 'vitest';
import { templateSource, templatesOf, templateWorld } from '../support/campaign-templates.ts';
import { exported } from '../support/exported.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';
import { mortal } from '../support/mortal.ts';
import { isLong } from '../support/sampled.ts';

type World = ReturnType<typeof templatesOf>;

/** Returns a project with a template whose first setup creates everything that its rule names. */
async function copied(lists: object = {}) {
  const own = await templateWorld();
  const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
  const there = await templateWorld({ campaigns: templateSource.campaigns.slice(1, 2), ...lists });
  const { body } = await own.copy(template.id, { name: 'Tea', destination_project_id: there.project.id });
  return { there, id: String(body.id) };
}

const created = ['campaigns', 'promotion_tiers', 'validation_rules', 'validation_rules_assignments'];
const lacking = ['products', 'skus', 'product_collections', 'segments', 'locations'];

/** Returns the number of entries of each list that a setup adds to. */
async function counts({ project }: World) {
  const file: Record<string, unknown[]> = await exported(project.id);
  return Object.fromEntries([...created, ...lacking].map((name) => [name, file[name]?.length ?? 0]));
}

const nothing = {
  ...{ campaigns: 1, promotion_tiers: 0, validation_rules: 0, validation_rules_assignments: 0 },
  ...{ products: 0, skus: 0, product_collections: 0, segments: 0, locations: 0 },
};
const resources = { products: 2, skus: 1, product_collections: 2, segments: 1, locations: 1 };
const ruled = { ...nothing, ...resources, validation_rules: 1, validation_rules_assignments: 1 };

const setups = [
  ['a campaign', { ...ruled, campaigns: 2 }, (there: World, id: string) => there.campaign(id, { name: 'New tea' })],
  [
    'a tier',
    { ...ruled, promotion_tiers: 1 },
    (there: World, id: string) => there.tier(id, { campaign_id: 'camp_promo', name: 'New tea' }),
  ],
] as const;

/** A quick run tries some of the calls. */
const step = isLong ? 1 : 4;

describe.each(setups)('%s from a template', (_, everything, setUp) => {
  test('is created with everything or nothing, at whichever call its container dies', async () => {
    const outcomes: string[] = [];
    for (const isDone of [false, true]) {
      for (let call = 1; ; call += step) {
        const { there, id } = await copied();
        const { status } = await setUp(templatesOf(there.project, mortal(call, isDone)), id);
        const found = await counts(there);
        const isMade = found.validation_rules === 1;
        expect(found).toEqual(isMade ? everything : nothing);
        outcomes.push(`${isMade}`);
        if (status === 200) break;
        if (isMade) continue;
        expect((await setUp(there, id)).status).toBe(200);
        expect(await counts(there)).toEqual(everything);
      }
    }
    // Some died before the transaction, and some after it, before the reply.
    expect(new Set(outcomes).size).toBe(2);
    expect(outcomes.length).toBeGreaterThan(8 / step);
  });

  test('creates what the project lacks once, though another one from the template was faster', async () => {
    const { there, id } = await copied();
    const faster = { campaign_id: 'camp_promo', name: 'Faster' };
    const { status, body } = await meanwhile(
      beforeTransaction(),
      () => there.tier(id, faster),
      (container) => setUp(templatesOf(there.project, container), id),
    );
    expect(status).toBe(200);
    expect(body.created_resources.map(({ object }: { object: string }) => object)).toEqual(['validation_rules']);
    expect(await counts(there)).toMatchObject({ ...resources, validation_rules: 2 });
  });

  test('is not created from a template that is deleted meanwhile', async () => {
    const { there, id } = await copied();
    const { body } = await meanwhile(
      beforeTransaction(),
      () => there.remove(id),
      (container) => setUp(templatesOf(there.project, container), id),
    );
    expect(body).toMatchObject({ code: 404, resource_type: 'campaign_template' });
    expect(await counts(there)).toEqual(nothing);
  });

  test('brings back a resource that is deleted meanwhile', async () => {
    const { there, id } = await copied();
    const { body: first } = await there.tier(id, { campaign_id: 'camp_promo', name: 'First' });
    const segmentId = first.created_resources.find(({ object }: { object: string }) => object === 'segments').id;
    const { body } = await meanwhile(
      beforeTransaction(),
      () => there.deleteSegment(segmentId),
      (container) => setUp(templatesOf(there.project, container), id),
    );
    expect(body.created_resources.map(({ object }: { object: string }) => object)).toEqual([
      'segments',
      'validation_rules',
    ]);
  });
});

test('ten setups of a new template at once create what the project lacks once', async () => {
  const { there, id } = await copied();
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) => there.campaign(id, { name: `Tea ${index}` })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await counts(there)).toMatchObject({ ...resources, campaigns: 11, validation_rules: 10 });
});

test('of ten setups with one name at once one is done, and the others leave nothing', async () => {
  const { there, id } = await copied();
  const replies = await Promise.all(Array.from({ length: 10 }, () => there.campaign(id, { name: 'Tea' })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  expect(await counts(there)).toEqual({ ...ruled, campaigns: 2 });
});

const many = <T>(length: number, of: (index: number) => T) => Array.from({ length }, (_, index) => of(index));

describe('a setup beyond a limit is refused before anything is written:', () => {
  const filter = { junction: 'and', name: { conditions: { $is: ['x'] } } };

  test('of segments with a filter', async () => {
    const { there, id } = await copied({
      segments: many(100, (n) => ({ id: `seg_${n}`, name: `${n}`, type: 'passive', filter })),
    });
    const before = await counts(there);
    const { body } = await there.campaign(id, { name: 'Tea' });
    expect(body).toMatchObject({ code: 400, key: 'too_many_resources' });
    expect(await counts(there)).toEqual(before);
  });

  test('of collections, which two new ones exceed together', async () => {
    const price = { junction: 'and', price: { conditions: { $more_than: [1] } } };
    const { there, id } = await copied({
      product_collections: many(99, (n) => ({ id: `pc_${n}`, name: `${n}`, type: 'AUTO_UPDATE', filter: price })),
    });
    const before = await counts(there);
    const { body } = await there.campaign(id, { name: 'Tea' });
    expect(body).toMatchObject({ code: 400, key: 'too_many_resources' });
    expect(await counts(there)).toEqual(before);
  });

  test('of templates', async () => {
    const own = await templateWorld();
    const { body: first } = await own.create({ name: 'first', campaign_id: 'camp_gift' });
    const there = await templateWorld();
    const { body } = await own.copy(first.id, { name: 'first', destination_project_id: there.project.id });
    const content = (await there.get(body.id, 'expand=json_template')).body.json_template;
    const full = await templateWorld({
      ...templateSource,
      campaign_templates: many(100, (n) => ({ name: `${n}`, campaign_type: 'GIFT_VOUCHERS', content })),
    });
    const replies = [
      await full.create({ name: 'more', campaign_id: 'camp_gift' }),
      await own.copy(first.id, { name: 'more', destination_project_id: full.project.id }),
    ];
    for (const reply of replies) expect(reply.body).toMatchObject({ code: 400, key: 'too_many_resources' });
  });

  const named = (products: readonly { id: string }[]) => ({
    ...templateSource,
    products: [...templateSource.products, ...products],
    validation_rules: templateSource.validation_rules.map((rule) => ({
      ...rule,
      applicable_to: { included: products.map(({ id }) => ({ object: 'product', id })) },
    })),
  });

  const long = many(100, (n) => `${n}`.padEnd(300, 'x'));
  test.each([
    ['items', many(70, (n) => ({ id: `prod_${n}` })), 'at most'],
    ['bytes', many(7, (n) => ({ id: `prod_${n}`, attributes: long })), 'bytes'],
  ])('of the %s of one setup, already when the template is made', async (_, products, words) => {
    const own = await templateWorld(named(products));
    const { body } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    expect(body).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect(body.details).toContain(words);
  });

  test('of items, for a template of a project file', async () => {
    const own = await templateWorld();
    const { body } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    const content = (await own.get(body.id, 'expand=json_template')).body.json_template;
    const products = [...content.products, ...many(98, (n) => ({ id: `prod_${n}`, name: `${n}` }))];
    const there = await templateWorld({
      campaign_templates: [
        { id: 'camp_tpl_full', name: 'Full', campaign_type: 'DISCOUNT_COUPONS', content: { ...content, products } },
      ],
    });
    const { body: refused } = await there.campaign('camp_tpl_full', { name: 'Tea' });
    expect(refused).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect(refused.details).toContain('99 items');
    expect(await counts(there)).toEqual({ ...nothing, campaigns: 0 });
  });
});

test('a rule with a static segment is refused in a project without it, and works in its own', async () => {
  const own = await templateWorld({
    ...templateSource,
    segments: [{ id: 'seg_loyal', name: 'Loyal', type: 'static', customers: ['cust_ann'] }],
  });
  const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
  expect((await own.campaign(template.id, { name: 'More' })).status).toBe(200);
  const there = await templateWorld({});
  const { body: other } = await own.copy(template.id, { name: 'Tea', destination_project_id: there.project.id });
  const { body } = await there.campaign(other.id, { name: 'More' });
  expect(body).toMatchObject({ code: 404, resource_type: 'segment', resource_id: 'seg_loyal' });
});

test('a template of a STANDALONE campaign makes its voucher under the sent code', async () => {
  const [tea] = templateSource.campaigns;
  const own = await templateWorld({
    ...templateSource,
    campaigns: [{ ...tea, type: 'STANDALONE', vouchers_count: 0 }, ...templateSource.campaigns.slice(1)],
  });
  const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
  const { body } = await own.campaign(template.id, { name: 'More', voucher: { code: 'TEA-FOR-ALL' } });
  expect(body.campaign).toMatchObject({ type: 'STANDALONE', vouchers_count: 1 });
  const { body: gifts } = await own.create({ name: 'Gift', campaign_id: 'camp_gift' });
  expect((await own.campaign(gifts.id, { name: 'Gift again' })).body).toMatchObject({
    created_resources: [],
    campaign: { campaign_type: 'GIFT_VOUCHERS', voucher: { gift: { amount: 5_000, effect: 'APPLY_TO_ITEMS' } } },
  });
});

test('templates come from a project file, and are exported with their links', async () => {
  const own = await templateWorld();
  await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
  const file: Record<string, Record<string, unknown>[]> = await exported(own.project.id);
  const [entry] = file.campaign_templates ?? [];
  expect(entry).toMatchObject({ name: 'Tea', source: { campaign_id: 'camp_tea' } });
  expect(entry?.links).toHaveLength(7);
  const there = await templateWorld({ ...templateSource, campaign_templates: [entry] });
  const { body } = await there.campaign(String(entry?.id), { name: 'More' });
  expect(body.created_resources.map(({ object }: { object: string }) => object)).toEqual(['validation_rules']);
  expect((await there.create({ name: 'Tea', campaign_id: 'camp_tea' })).status).toBe(409);
});

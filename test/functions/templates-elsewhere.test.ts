import { describe, expect, test } from 'vitest';
import { handler as copyTemplate } from '../../functions/management/copy-campaign-template.ts';
import { handler as deleteProduct } from '../../functions/products/delete-product.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { templateSource, templatesOf, templateWorld } from '../support/campaign-templates.ts';
import { testDependencies, uniqueId } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { validationRule } from '../support/lists.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';

/** Returns a project with these lists, and a copy of a template of the source. */
async function copied(lists: object = {}, source: object = templateSource) {
  const own = await templateWorld(source);
  const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
  const there = await templateWorld(lists);
  const { body } = await own.copy(template.id, { name: 'Tea', destination_project_id: there.project.id });
  return { there, id: String(body.id) };
}

const objects = (created: { object: string }[]) => created.map(({ object }) => object).toSorted();

describe('a template in another project', () => {
  test('sets up rules that judge carts like the rules of the source', async () => {
    const [tea, ...others] = templateSource.campaigns;
    const alone = { ...tea, type: 'STANDALONE', vouchers_count: 0 };
    const [rule] = templateSource.validation_rules;
    const { there, id } = await copied(
      {
        customers: [
          { id: 'cust_1', source_id: 'bob', metadata: { loyal: true, home: 'geo:60.39,5.32' } },
          { id: 'cust_2', source_id: 'eve', metadata: { loyal: true, home: 'geo:60,5' } },
        ],
      },
      { ...templateSource, campaigns: [alone, ...others], validation_rules: [{ ...rule, bundle_rules: undefined }] },
    );
    const made = await there.campaign(id, { name: 'New', voucher: { code: 'NEW-TEA' } });
    expect(made.status).toBe(200);
    const isValid = async (customer: string, quantity: number) => {
      const { body } = await caller(validate)({
        headers: there.project.credentials,
        body: {
          redeemables: [{ object: 'voucher', id: 'NEW-TEA' }],
          customer: { source_id: customer },
          order: { items: [{ source_id: 'tea', related_object: 'product', quantity }] },
        },
      });
      return body.valid;
    };
    expect([await isValid('bob', 2), await isValid('eve', 2)]).toEqual([true, false]);
    expect(made.body.campaign.validation_rules_assignments.total).toBe(1);
    expect((await caller(getVoucher)({ headers: there.project.credentials, params: { code: 'NEW-TEA' } })).status).toBe(
      200,
    );
  });

  test('uses an existing SKU with its product', async () => {
    const { there, id } = await copied({
      products: [{ id: 'prod_kettle', name: 'Kettle' }],
      skus: [{ id: 'sku_own', product_id: 'prod_kettle', source_id: 'big' }],
    });
    const { body } = await there.campaign(id, { name: 'New' });
    expect(objects(body.created_resources)).toEqual([
      'location',
      'product',
      'products_collection',
      'products_collection',
      'segments',
      'validation_rules',
    ]);
    const collections = body.created_resources.filter(
      ({ object }: { object: string }) => object === 'products_collection',
    );
    const shown = await Promise.all(collections.map((one: { id: string }) => there.collection(one.id)));
    const table = shown.find(({ name }) => name === 'Table');
    expect(table.products).toContainEqual({ id: 'sku_own', product_id: 'prod_kettle', object: 'sku' });
  });

  test('is refused if a SKU and its product stand for things of two products', async () => {
    const [tea, pot] = templateSource.products;
    const { there, id } = await copied(
      {
        products: [{ id: 'prod_kettle' }, { id: 'prod_own', source_id: 'pot' }],
        skus: [{ id: 'sku_own', product_id: 'prod_kettle', source_id: 'big' }],
      },
      { ...templateSource, products: [tea, { ...pot, source_id: 'pot' }] },
    );
    const { body } = await there.campaign(id, { name: 'New' });
    expect(body).toMatchObject({ code: 409, key: 'duplicate_found', resource_type: 'sku', resource_id: 'sku_own' });
    expect(await there.rules()).toBe(0);
  });

  test('is refused while a product in the bin has the source id of a copy, and names the bin', async () => {
    const { there, id } = await copied({ products: [{ id: 'prod_own', source_id: 'tea' }] });
    const headers = there.project.credentials;
    expect((await caller(deleteProduct)({ headers, params: { productId: 'prod_own' } })).status).toBe(204);
    const { body } = await there.campaign(id, { name: 'New' });
    expect(body).toMatchObject({ code: 409, key: 'duplicate_found', resource_type: 'product', resource_id: 'tea' });
    expect(body.details).toContain('bin');
    expect(await there.rules()).toBe(0);
  });
});

describe('while a setup runs,', () => {
  /** A rule that names one product without a source id, which no claim keeps from being created twice. */
  const withPot = {
    ...templateSource,
    validation_rules: [
      validationRule('val_tea', 'Pots', {
        name: 'order.items.any',
        conditions: { $is: [{ id: 'prod_pot', object: 'product' }] },
      }),
    ],
    campaigns: [{ ...templateSource.campaigns[3], id: 'camp_tea' }, ...templateSource.campaigns.slice(1, 3)],
  };

  test('another one of the same template creates what both need, and the first uses it', async () => {
    const { there, id } = await copied({}, withPot);
    const { body } = await meanwhile(
      beforeTransaction(),
      () => there.campaign(id, { name: 'Faster' }),
      (container) => templatesOf(there.project, container).campaign(id, { name: 'New' }),
    );
    expect(objects(body.created_resources)).toEqual(['validation_rules']);
    expect((await exported(there.project.id)).products).toHaveLength(1);
  });

  test('the deletion of a template that creates no resources ends it with 404', async () => {
    const own = await templateWorld(withPot);
    const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
    const { body } = await meanwhile(
      beforeTransaction(),
      () => own.remove(template.id),
      (container) => templatesOf(own.project, container).campaign(template.id, { name: 'New' }),
    );
    expect(body).toMatchObject({ code: 404, resource_type: 'campaign_template' });
    expect(await own.rules()).toBe(1);
  });
});

test('a copy needs an existing project that the management key opens', async () => {
  const id = uniqueId('ops-');
  const own = await templateWorld({
    ...templateSource,
    management_keys: [{ management_id: id, management_token: `secret-${id}` }],
  });
  const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_gift' });
  const other = await templateWorld({});
  const keyed = caller(copyTemplate, testDependencies({ managementGuard: 'keys' }));
  const copyTo = async (destination_project_id: string) =>
    keyed({
      headers: { 'x-management-id': id, 'x-management-token': `secret-${id}` },
      params: { projectId: own.project.id, templateId: template.id },
      body: { name: 'Tea too', destination_project_id },
    });
  for (const hidden of [other.project.id, uniqueId('proj_')]) {
    expect((await copyTo(hidden)).body).toMatchObject({ code: 404, resource_type: 'project', resource_id: hidden });
  }
  expect((await other.list('include_total=true')).body.total).toBe(0);
  expect((await copyTo(own.project.id)).status).toBe(200);
});

test('a campaign of a project file without a voucher part makes a template of plain coupons', async () => {
  const own = await templateWorld({
    campaigns: [
      { id: 'camp_bare', name: 'Bare', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
      { id: 'camp_none', name: 'None', campaign_type: 'GIFT_VOUCHERS', type: 'STATIC' },
    ],
  });
  const { body: template } = await own.create({ name: 'Bare', campaign_id: 'camp_bare' });
  expect((await own.campaign(template.id, { name: 'New' })).body.campaign.voucher.type).toBe('DISCOUNT_VOUCHER');
  const { body } = await own.create({ name: 'None', campaign_id: 'camp_none' });
  expect(body).toMatchObject({ code: 400, key: 'invalid_payload' });
  expect(body.details).toContain('voucher.gift is required');
});

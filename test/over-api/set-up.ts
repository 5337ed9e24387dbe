import { type Api, path } from './api.ts';

/** Sets up a shop by requests alone, from its project to its programme. */

/** Creates a project by requests, with users and a key for servers. Returns its id and the headers of the key. */
export async function createProject(management: Api, body: object) {
  const { id } = await management.post('/management/v1/projects', body);
  const key = await management.post(path`/management/v1/projects/${id}/keys`, { type: 'SERVER', name: 'Till' });
  return { id, credentials: { 'x-app-id': key.id, 'x-app-token': String(key.token) } };
}

const email = 'shop@quay.example';

export async function setUp(api: Api): Promise<void> {
  const management = path`/management/v1/projects/${api.projectId}`;
  await api.post(`${management}/keys`, { type: 'CLIENT', name: 'Quay page', origins: ['https://quay.example'] });
  await api.post(`${management}/keys`, { type: 'MANAGEMENT', name: 'Office' });
  const regular = { type: 'boolean', optional: true };
  await api.post(`${management}/metadata-schemas`, {
    related_object: 'size',
    properties: { width: { type: 'number' } },
  });
  await api.post(`${management}/metadata-schemas`, {
    related_object: 'product',
    properties: {
      roasted_on: { type: 'date', optional: true },
      size: { type: 'object', object_type: 'size', optional: true },
    },
  });
  await api.post(`${management}/metadata-schemas`, {
    related_object: 'order',
    properties: { shop: { type: 'string', optional: false, eq: ['harbour', 'market'] } },
    allow_defined_only: true,
  });
  await api.post(`${management}/metadata-schemas`, { related_object: 'customer', properties: { regular } });
  await api.post(`${management}/custom-event-schemas`, {
    name: 'cup_returned',
    schema: { properties: { cups: { type: 'number', optional: false } } },
  });
  await api.post(`${management}/branding`, {
    brand: { name: 'Quay', website_url: 'https://quay.example' },
    address: { street: 'Bryggen 1', city: 'Bergen', postal: '5003', country: 'Norway' },
    contact: { email },
  });
  await api.post(`${management}/webhooks`, { target_url: 'https://quay.example/hooks', events: ['customer.created'] });
  const spring = await api.post('/v1/categories', { name: 'Spring', hierarchy: 1 });
  const always = await api.post('/v1/categories', { name: 'Always', hierarchy: 2 });
  await api.post(`${management}/stacking-rules`, {
    joint_categories: [always.id],
    exclusive_categories: [spring.id],
    applicable_redeemables_limit: 3,
  });
  const beans = await api.post('/v1/products', {
    source_id: 'beans',
    name: 'Beans',
    price: 9000,
    metadata: { roasted_on: '2026-05-01', size: { width: 12 } },
  });
  const bag = await api.post(path`/v1/products/${beans.id}/skus`, {
    source_id: 'beans-1kg',
    sku: '1 kg',
    price: 16_000,
  });
  const coffee = await api.post('/v1/product-collections', {
    type: 'STATIC',
    name: 'Coffee',
    products: [
      { object: 'product', id: beans.id },
      { object: 'sku', id: bag.id, product_id: beans.id },
    ],
  });
  const regulars = await api.post('/v1/segments', {
    type: 'passive',
    name: 'Regulars',
    filter: { junction: 'and', 'metadata.regular': { conditions: { $is: [true] } } },
  });
  await api.post('/v1/customers', { source_id: 'ana', name: 'Ana', metadata: { regular: true } });
  await api.post('/v1/customers', { source_id: 'bo', name: 'Bo' });
  const forRegulars = await api.post('/v1/validation-rules', {
    name: 'Regulars that buy coffee',
    rules: {
      '1': { name: 'customer.segment', conditions: { $is: [regulars.id] } },
      '2': { name: 'order.amount', conditions: { $more_than_or_equal: [10_000] } },
      logic: '1 and 2',
    },
    applicable_to: { included: [{ object: 'products_collection', id: coffee.id }] },
  });
  await api.post('/v1/campaigns', {
    name: 'Coffee for regulars',
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'AUTO_UPDATE',
    category_id: spring.id,
    vouchers_count: 5,
    validation_rules: [forRegulars.id],
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 20 },
      code_config: { pattern: 'REG-####' },
    },
  });
  const giftCards = await api.post('/v1/campaigns', {
    name: 'Gift cards',
    campaign_type: 'GIFT_VOUCHERS',
    voucher: { type: 'GIFT_VOUCHER', gift: { amount: 20_000 }, code_config: { pattern: 'GIFT-####' } },
  });
  const everyday = await api.post('/v1/campaigns', { name: 'Everyday', campaign_type: 'PROMOTION' });
  await api.post(path`/v1/promotions/${everyday.id}/tiers`, {
    name: 'Ten off',
    banner: '10 off from 100',
    category_id: always.id,
    action: { discount: { type: 'AMOUNT', amount_off: 1000 } },
    validation_rules: [
      (
        await api.post('/v1/validation-rules', {
          name: 'From 100',
          rules: { '1': { name: 'order.amount', conditions: { $more_than_or_equal: [10_000] } }, logic: '1' },
        })
      ).id,
    ],
  });
  await setUpProgramme(api, giftCards.id);
}

async function setUpProgramme(api: Api, giftCampaign: string): Promise<void> {
  const crew = await api.post('/v1/loyalties', {
    name: 'Crew',
    auto_join: false,
    voucher: {
      type: 'LOYALTY_CARD',
      loyalty_card: { points: 10, expiration_rules: { period_type: 'MONTH', period_value: 12 } },
      code_config: { pattern: 'CREW-####' },
    },
  });
  const [perOrder] = await api.postAll(path`/v1/loyalties/${crew.id}/earning-rules`, [
    {
      event: 'order.paid',
      loyalty: {
        type: 'PROPORTIONAL',
        calculation_type: 'ORDER_AMOUNT',
        order: { amount: { every: 1000, points: 2 } },
      },
    },
    { event: 'cup_returned', loyalty: { type: 'FIXED', points: 5 } },
  ]);
  const reward = await api.post('/v1/rewards', {
    name: 'A gift card',
    type: 'CAMPAIGN',
    parameters: { campaign: { id: giftCampaign, balance: 5000 } },
  });
  const [price] = await api.postAll(path`/v1/loyalties/${crew.id}/rewards`, [
    { reward: reward.id, parameters: { loyalty: { points: 40 } } },
  ]);
  await api.postAll(path`/v1/loyalties/${crew.id}/tiers`, [
    {
      name: 'Captain',
      points: { from: 30 },
      earning_rules: { [perOrder?.id ?? '']: { type: 'MULTIPLY', multiplier: 3 } },
      rewards: { [price?.id ?? '']: { type: 'CUSTOM', points: 30 } },
    },
  ]);
}

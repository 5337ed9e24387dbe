import { path } from './api.ts';
import type { Building } from './building.ts';
import { parts, text, without } from './project.ts';

/** Makes what depends on nothing else: categories, events, products, people, segments, rules, orders. */

export async function settings(building: Building): Promise<void> {
  const { api } = building;
  const management = path`/management/v1/projects/${api.projectId}`;
  await building.each('categories', async (entry) => building.made(entry, await api.post('/v1/categories', entry)));
  await building.each('event_schema', async ({ name, metadata }) => {
    const properties = Object.fromEntries(
      Object.entries(metadata ?? {}).map(([key, type]) => [key, { type, optional: true }]),
    );
    await api.post(`${management}/custom-event-schemas`, { name, schema: { properties } });
  });
  await building.each('metadata_schemas', async ({ related_object, properties, allow_defined_only }) => {
    await api.post(`${management}/metadata-schemas`, { related_object, properties, allow_defined_only });
  });
  await building.each('brands', async (entry) => {
    // Files may have an old theme, which no request accepts.
    const cockpits = { ...Object(entry.cockpits), theme: 'default' };
    return building.made(entry, await api.post(`${management}/branding`, { ...entry, cockpits }));
  });
  await building.each('webhooks', async (entry) =>
    building.made(entry, await api.post(`${management}/webhooks`, without(entry, 'id', 'created_at', 'updated_at'))),
  );
  await building.each('stacking_rules', async (entry) =>
    building.made(entry, await api.post(`${management}/stacking-rules`, building.as(entry))),
  );
}

export async function catalogue(building: Building): Promise<void> {
  const { api } = building;
  await building.each('products', async (entry) =>
    building.made(entry, await api.post('/v1/products', without(entry, 'id'))),
  );
  await building.each('skus', async (entry) => {
    const owner = building.idOf(entry.product_id);
    building.made(entry, await api.post(path`/v1/products/${owner}/skus`, without(entry, 'id', 'product_id')));
  });
  await building.each('product_collections', async (entry) =>
    building.made(entry, await api.post('/v1/product-collections', building.as(entry))),
  );
}

export async function people(building: Building): Promise<void> {
  const { api } = building;
  await building.each('customers', async (entry) =>
    building.made(entry, await api.post('/v1/customers', without(entry, 'id'))),
  );
  await building.each('segments', async (entry) =>
    building.made(entry, await api.post('/v1/segments', building.as(entry))),
  );
}

export async function validationRules(building: Building): Promise<void> {
  await building.each('validation_rules', async (entry) =>
    building.made(entry, await building.api.post('/v1/validation-rules', building.as(entry))),
  );
}

/** Rules may name resources that are made after them. */
export async function validationRulesAgain(building: Building): Promise<void> {
  await building.each('validation_rules', async (entry) => {
    await building.api.send('PUT', path`/v1/validation-rules/${building.idOf(entry.id)}`, building.as(entry));
  });
}

/** Orders are made before the rules that would give points for them. */
export async function orders(building: Building): Promise<void> {
  await building.each('orders', async (entry) => {
    const items = parts(entry, 'items').map((item) => without(item, 'id'));
    const body = building.as({ ...without(entry, 'id'), items });
    building.made(entry, await building.api.post('/v1/orders', body));
  });
}

export async function assignRules(building: Building): Promise<void> {
  await building.each('validation_rules_assignments', async (entry) => {
    const { related_object_type, related_object_id } = entry;
    const made = await building.api.post(path`/v1/validation-rules/${building.idOf(entry.rule_id)}/assignments`, {
      related_object_type,
      related_object_id: building.idOf(related_object_id),
    });
    building.made(entry, made);
  });
}

export async function promotions(building: Building): Promise<void> {
  const { api } = building;
  await building.each('promotion_tiers', async (entry) =>
    building.made(
      entry,
      await api.post(path`/v1/promotions/${building.idOf(entry.campaign_id)}/tiers`, building.as(entry)),
    ),
  );
  await building.each('promotion_stacks', async (entry) => {
    const owner = building.idOf(entry.campaign_id);
    building.made(
      entry,
      await api.post(path`/v1/promotions/${owner}/stacks`, building.as(without(entry, 'campaign_id'))),
    );
  });
}

export async function referees(building: Building): Promise<void> {
  await building.each('referral_holders', async (entry) => {
    const holders = [{ id: building.idOf(entry.customer_id) }];
    await building.api.send('POST', path`/v1/referrals/members/${text(entry, 'code')}/holders`, { holders });
  });
}

/** Names the returned lines by their new ids. The value of an order without lines is an amount. */
export async function returns(building: Building): Promise<void> {
  await building.each('returns', async (entry) => {
    const sold = building.find('orders', entry.order_id);
    const orderId = building.idOf(entry.order_id);
    const made = await building.api.send('GET', path`/v1/orders/${orderId}`);
    const [lines, built] = [parts(sold, 'items'), parts(Object(made), 'items')];
    const items = parts(entry, 'items').map(({ id, quantity }) => {
      const place = lines.findIndex((line) => line.id === id);
      return { id: built[place]?.id ?? id, quantity };
    });
    const amount = parts(entry, 'items').reduce((sum, { net }) => sum + Number(net), 0);
    const { source_id, reason, metadata } = entry;
    const what = lines.length > 0 ? { items } : { amount };
    building.made(
      entry,
      await building.api.post(path`/v1/orders/${orderId}/returns`, { source_id, reason, metadata, ...what }),
    );
  });
}

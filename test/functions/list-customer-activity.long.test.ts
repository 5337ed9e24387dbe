import { expect, test } from 'vitest';
import { classifyActivity } from '#engine/customers/list-activity.ts';
import { handler as deprecated } from '../../functions/customers/list-customer-activities.ts';
import { handler } from '../../functions/customers/list-customer-activity.ts';
import { caller } from '../support/call.ts';
import { club } from '../support/club.ts';
import { testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const minute = (index: number) => new Date(Date.UTC(2026, 2, 1) + index * 60_000).toISOString();
const types = ['customer.confirmed', 'customer.redemption.failed', 'customer.rewarded'];

/** Each moment has two activities. A third has each type, every fourth is about a loyalty programme, and every fourth about coupons. */
const activities = Array.from({ length: 60 }, (_, index) => ({
  id: `act_${String(index).padStart(2, '0')}`,
  type: types[index % 3],
  created_at: minute(Math.floor(index / 2)),
  data: { data: { customer: { id: 'cust_ada' } }, event_source: { channel: 'API' } },
  ...(index % 4 === 0 ? { campaign_id: 'camp_club', campaign_type: 'LOYALTY_PROGRAM' } : {}),
  ...(index % 4 === 1 ? { campaign: 'Spring' } : {}),
}));

const project = await loadProject({ ...club, activities });

const dependencies = () => testDependencies();

async function list(query = '', customerId = 'cust_ada') {
  return caller(handler, dependencies())({ headers: project.credentials, params: { customerId }, query });
}

const idsIn = (body: { data: { id: string }[] }) => body.data.map(({ id }) => Number(id.slice(4)));

test('a page shows the newest first, as the deprecated list does, and the id to go on with', async () => {
  const { body } = await list();
  expect(body).toMatchObject({ object: 'list', data_ref: 'data', has_more: true, more_starting_after: 'act_50' });
  expect(body).not.toHaveProperty('total');
  const old = await caller(
    deprecated,
    dependencies(),
  )({
    headers: project.credentials,
    params: { customerId: 'shop-1' },
  });
  expect(body.data).toEqual(old.body.data);
});

test('a customer without a history has none, and an unknown one is not found', async () => {
  expect((await list('', 'cust_bob')).body).toEqual({ object: 'list', data_ref: 'data', data: [], has_more: false });
  expect((await list('', 'nobody')).body).toMatchObject({ key: 'not_found', resource_type: 'customer' });
});

const all = activities.map((_, index) => index);

test.each<[string, (index: number) => boolean]>([
  ['', () => true],
  ['type=customer.rewarded', (index) => index % 3 === 2],
  ['category=ACTION', (index) => index % 3 < 2],
  ['category=EFFECT', (index) => index % 3 === 2],
  ['campaign_id=camp_club', (index) => index % 4 === 0],
  ['campaign_id=camp_club&category=EFFECT', (index) => index % 12 === 8],
  // The campaign says this if the activity does not.
  ['campaign_type=DISCOUNT_COUPONS', (index) => index % 4 === 1],
  ['type=customer.created', () => false],
  [`start_date=${minute(10)}`, (index) => index >= 20],
  [`end_date=${minute(10)}`, (index) => index < 22],
  [
    'start_date=2026-03-01T00:10&end_date=2026-03-01T00:19&type=customer.rewarded',
    (index) => index >= 20 && index < 40 && index % 3 === 2,
  ],
  ['start_date=2026-02-28&end_date=2026-03-01', () => true],
  ['end_date=2026-02-28', () => false],
])('a walk by %j has exactly the wanted activities, in either order', async (query, isWanted) => {
  for (const order of ['created_at', '-created_at']) {
    const seen: number[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const after = cursor && `&starting_after_id=${cursor}`;
      const { body } = await list(`${query}&limit=7&order=${order}${after}`);
      seen.push(...idsIn(body));
      expect(body.has_more).toBe(body.more_starting_after !== undefined);
      cursor = body.more_starting_after;
    }
    const wanted = all.filter(isWanted);
    expect(seen).toEqual(order === 'created_at' ? wanted : wanted.toReversed());
  }
});

test.each([
  ['category=OTHER', 'category must be one of'],
  ['starting_after_id=act_none', 'starting_after_id must be the id of an activity of this customer'],
  [`start_date=${minute(2)}&end_date=${minute(1)}`, 'end_date must not be before start_date'],
  ['start_date=soon', 'start_date must be an existing date'],
])('%s is refused', async (query, details) => {
  const { status, body } = await list(query);
  expect([status, body.key, body.details]).toEqual([400, 'invalid_query_params', expect.stringContaining(details)]);
});

test.each([
  ['customer.created', 'ACTION'],
  ['customer.order.paid', 'ACTION'],
  ['customer.redemption.rollback.succeeded', 'ACTION'],
  ['customer.holder.assignment.created', 'ACTION'],
  ['customer.referred', 'EFFECT'],
  ['customer.voucher.loyalty_card.points_added', 'EFFECT'],
  ['customer.orders', 'EFFECT'],
])('%s is an %s', (type, category) => {
  expect(classifyActivity(type)).toBe(category);
});

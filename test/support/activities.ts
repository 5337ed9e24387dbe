import { expect } from 'vitest';
import { handler } from '../../functions/customers/list-customer-activities.ts';
import { handler as eventHandler } from '../../functions/events/send-event.ts';
import { caller } from './call.ts';
import { testDependencies } from './dependencies.ts';
import type { TestProject } from './project.ts';

export interface Activity {
  id: string;
  type: string;
  created_at: string;
}

/** All orders of a list of activities. */
export const orders = ['created_at', 'updated_at', 'type', 'code', 'campaign', 'category'].flatMap((name) => [
  name,
  `-${name}`,
]);

/** Returns the calls of one project's shop. */
export function callsOf(project: TestProject, dependencies = testDependencies()) {
  const headers = project.credentials;
  const list = caller(handler, dependencies);
  const send = caller(eventHandler, dependencies);
  return {
    list: (query = '', customerId = 'cust_ada') => list({ headers, params: { customerId }, query }),
    send: (body: unknown) => send({ headers, body }),
  };
}

type Calls = ReturnType<typeof callsOf>;

/** Walks a list to its end by the id of the last element. */
export async function walk(
  { list }: Calls,
  query: string,
  between: (page: number) => Promise<unknown> = async () => {},
) {
  const seen: Activity[] = [];
  for (let page = 0; ; page++) {
    const after = seen.at(-1);
    const cursor = after ? `&starting_after_id=${encodeURIComponent(after.id)}` : '';
    const { status, body } = await list(`${query}${cursor}`);
    expect(status).toBe(200);
    if (body.data.length === 0) return seen;
    seen.push(...body.data);
    await between(page);
  }
}

export const minute = (index: number) => new Date(Date.UTC(2026, 2, 1) + index * 60_000).toISOString();

/** Makes activity number n: two at each moment, some about a campaign, some with a code. */
export function activity(index: number) {
  return {
    id: `act_${String(index).padStart(6, '0')}`,
    type: ['customer.confirmed', 'customer.custom_event', 'customer.updated'][index % 3],
    created_at: minute(Math.floor(index / 2)),
    data: { data: { customer: { id: 'cust_ada' } }, event_source: { channel: 'API' } },
    group_id: `grp_${index % 7}`,
    ...(index % 4 === 0 ? { campaign_id: 'camp_club', campaign_type: 'LOYALTY_PROGRAM' } : {}),
    ...(index % 4 === 1 ? { campaign: 'Spring' } : {}),
    ...(index % 5 === 0 ? { code: 'ADA', product_id: 'prod_mug' } : {}),
  };
}

export const activitiesUpTo = (count: number) => Array.from({ length: count }, (_, index) => activity(index));

export const idsOf = (activities: readonly { id: string }[]) => activities.map(({ id }) => id);

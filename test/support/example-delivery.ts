import { type Delivery, deliveries, webhookEvents } from '#addons/webhooks/delivery.ts';
import { insertDelivery } from '#addons/webhooks/store-delivery.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { change, commit, insert } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies } from './dependencies.ts';

/** The id of the documented examples. */
export const exampleDelivery = 'whs_of_the_example';

/** Inserts the delivery of the documented examples and a failed delivery, because no project file contains a delivery. */
export async function insertExampleDelivery(
  projectId: string,
  { dynamodb, tableName, clock }: Dependencies = testDependencies(),
  mark = '',
) {
  const now = clock();
  const table = new Table(dynamodb, tableName, now);
  const created_at = now.toISOString();
  const event = { id: `ev_of_the_example${mark}`, type: 'redemption.succeeded', created_at, entity_id: null };
  const deliveryOf = (id: string, status: Delivery['status']): Delivery => ({
    ...{ id: id + mark, webhook_id: `wh_till${mark}`, event_id: event.id, type: event.type },
    ...{ entity_id: null, created_at, target_url: 'https://till.harbourcoffee.example/hooks', status },
    tries: 13,
    attempts: [{ at: created_at, status: 500, duration_ms: 30, answer: 'broken' }],
  });
  const all = [deliveryOf(exampleDelivery, 'SUCCEEDED'), deliveryOf('whs_zz', 'FAILED')];
  const source = { group_id: null, event_source: '{"channel":"API"}', data: '{}' };
  await commit(table, [
    insert(webhookEvents(projectId, event.id), { ...event, ...source }),
    ...all.flatMap((one) => [
      insertDelivery(projectId, one, now),
      change(deliveries(projectId, one.webhook_id, one.id), (update) => update.remove(['dueShard']).remove(['dueAt'])),
    ]),
  ]);
}

import { expect, test } from 'vitest';
import { deliveries, webhookEvents, webhookHealth } from '#addons/webhooks/delivery.ts';
import { webhookSecrets } from '#kernel/access/projects/webhook-secrets.ts';
import { handler as deleteProject } from '../../functions/management/delete-project.ts';
import { openSubscribed } from '../support/hearing.ts';
import { itemsOf } from '../support/outbox.ts';

const minute = 60;
const kinds = [deliveries, webhookEvents, webhookHealth, webhookSecrets].map(({ kind }) => kind);

test('a project that is deleted with deliveries under way sends nothing more, and leaves nothing', async () => {
  const own = await openSubscribed();
  const left = async () => {
    const found = await Promise.all(kinds.map((kind) => itemsOf(own.id, kind, own.dependencies)));
    return found.flat();
  };
  own.receiver.answer((response) => response.writeHead(500).end());
  await own.newCustomer('retried');
  const retries = await own.settle();
  expect(retries).toHaveLength(1);
  expect(await left()).not.toEqual([]);
  await own.newCustomer('untold');
  expect((await own.manage(deleteProject)).status).toBe(204);
  own.receiver.answer((response) => void response.end());
  // A container knows a project for a minute.
  own.clock.advance(2 * minute);
  own.resume(retries);
  const later = await own.settle();
  // The deletion makes its last pass after a quarter of an hour.
  own.clock.advance(16 * minute);
  own.resume(later);
  await own.settleAll();
  expect(own.receiver.heard.map(({ body }) => body.data.customer.source_id)).toEqual(['retried']);
  expect(await left()).toEqual([]);
});

test('a delivery that is at its target while its project is deleted ends there', async () => {
  const own = await openSubscribed();
  own.receiver.answer((response) => {
    own.manage(deleteProject).then(
      () => response.writeHead(500).end(),
      (error) => response.destroy(error),
    );
  });
  await own.newCustomer('ingrid');
  const later = await own.settle();
  own.receiver.answer((response) => void response.end());
  own.clock.advance(16 * minute);
  own.resume(later);
  await own.settleAll();
  expect(own.receiver.heard).toHaveLength(1);
  expect(await itemsOf(own.id, deliveries.kind, own.dependencies)).toEqual([]);
});

import type { Tap } from '#kernel/kit/jobs/dispatch.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { consumer, type ItemChange } from '#kernel/table/stream.ts';

const ended = ['SUCCEEDED', 'FAILED', 'CANCELED'];

function isAsked({ before, after }: ItemChange<'WEBHOOK_DELIVERY'>): boolean {
  if (!before) return after?.is_replayed === true;
  return after?.status === 'PENDING' && ended.includes(before.status ?? '');
}

/** Hands over deliveries that operators ask for: replays and tests. All others are sent by the worker that makes them. */
export const deliveriesTap: Tap = consumer('deliveries', {
  [kinds.webhookDelivery]: (change) => {
    if (!isAsked(change)) return [];
    const group = change.after?.webhook_id ?? undefined;
    const message = { key: stripKey(change.key), more: { tries: 0 }, ...(group === undefined ? {} : { group }) };
    return [['webhooks', message]];
  },
});

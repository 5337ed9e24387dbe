import { useSignal } from '@preact/signals';
import { Badge, Ready, State, Switch } from '../components/bits.tsx';
import { List } from '../components/list.tsx';
import { Managed } from '../components/managed.tsx';
import { api, dataOf, type ParamsOf, type QueryOf } from '../core/api.ts';
import { count, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { wordOf } from '../core/part.ts';
import { query } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { type Delivery, readHealth, type Webhook, type WebhookPlace } from '../core/webhooks.ts';
import { words } from '../words.ts';
import { DeliveryView, replay } from './delivery.tsx';
import { WebhookActions, type WebhookPart } from './webhook-actions.tsx';
import { HealthBadge } from './webhooks.tsx';

const w = words.webhooks;

const address = '/management/v1/projects/{projectId}/webhooks/{webhookId}';

function Summary({ place, webhook, version }: { place: WebhookPlace; webhook: Webhook; version: number }) {
  const { data } = useLoad(`${place.webhookId}${version}`, () => readHealth(place));
  return (
    <div class="stack">
      <div class="inline">
        <Switch active={webhook.active} />
        {data && <HealthBadge of={data} />}
      </div>
      <details>
        <summary>
          {w.events} <small>{count(webhook.events.length)}</small>
        </summary>
        <div class="inline">
          {webhook.events.map((type) => (
            <Badge key={type}>{type}</Badge>
          ))}
        </div>
      </details>
    </div>
  );
}

const states = ['SUCCEEDED', 'FAILED', 'PENDING', 'CANCELED'] as const;

function Deliveries({ place, webhook, changed }: WebhookPart) {
  const version = useSignal(0);
  const again = () => {
    version.value += 1;
    changed();
  };
  const type = query.value.get('type') ?? undefined;
  const types = [...new Set([...webhook.events, ...(type ? [type] : [])])].sort();
  return (
    <List<Delivery>
      title={webhook.target_url}
      sub={w.deliveries}
      actions={<WebhookActions place={place} webhook={webhook} changed={again} />}
      above={<Summary place={place} webhook={webhook} version={version.value} />}
      version={version.value}
      facets={[
        { name: 'type', label: w.anyType, choices: types.map((one) => [one, one] as const) },
        { name: 'status', label: w.anyState, choices: Object.entries(w.states) },
      ]}
      empty={w.noDeliveries}
      idOf={({ id }) => id}
      detail={(id) => <DeliveryView place={place} id={id} changed={again} />}
      withSelected={({ rows, clear }) => (
        <button
          type="button"
          onClick={async () => {
            const send = () => Promise.all(rows.map(({ id }) => replay(place, id)));
            if (await attempt(w.replayedSome(count(rows.length)), send)) clear();
            again();
          }}
        >
          {w.replay}
        </button>
      )}
      load={async ({ limit, after, facet }) => {
        const asked: QueryOf<'list-webhook-deliveries'> = {
          limit,
          starting_after_id: after,
          type: facet('type'),
          status: wordOf(states, facet('status')),
        };
        const params: ParamsOf<'list-webhook-deliveries'> = { path: { ...place }, query: asked };
        const { data, more_starting_after: next } = await dataOf(api.GET(`${address}/deliveries`, { params }));
        return { rows: data, next: next ?? undefined };
      }}
      columns={[
        { title: words.moment, cell: (one) => time(one.created_at) },
        { title: w.type, cell: (one) => <code>{one.type}</code> },
        { title: words.state, cell: ({ status }) => <State of={status} /> },
        { title: w.attempts, isNumber: true, isExtra: true, cell: ({ attempts }) => count(attempts.length) },
        {
          title: w.answer,
          isExtra: true,
          cell: ({ attempts }) => {
            const { status, answer } = attempts.at(-1) ?? {};
            return status === null ? (answer ?? w.noAnswer) : (status ?? '–');
          },
        },
      ]}
    />
  );
}

function WebhookView({ place }: { place: WebhookPlace }) {
  const params = { path: { ...place } };
  const loaded = useLoad(place.webhookId, () => dataOf(api.GET(address, { params })));
  return (
    <Ready of={loaded} isWhole>
      {(webhook) => <Deliveries place={place} webhook={webhook} changed={loaded.reload} />}
    </Ready>
  );
}

/** Shows one webhook with the log of its deliveries. */
export function WebhookPage({ params }: ScreenProps) {
  return (
    <Managed title={words.screens.webhooks}>
      {({ id: projectId }) => <WebhookView place={{ projectId, webhookId: params.id ?? '' }} />}
    </Managed>
  );
}

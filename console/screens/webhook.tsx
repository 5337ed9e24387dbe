import { useSignal } from '@preact/signals';
import { Badge, Ready, State, Switch } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { Managed } from '../components/managed.tsx';
import { api, dataOf } from '../core/api.ts';
import { count, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { actSoon, attempt, say } from '../core/notice.ts';
import { go, query, setQuery } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { type Delivery, readHealth, replayFailed, type Webhook, type WebhookPlace } from '../core/webhooks.ts';
import { words } from '../words.ts';
import { DeliveryView, replay } from './delivery.tsx';
import { HealthBadge } from './webhooks.tsx';

const w = words.webhooks;

const address = '/management/v1/projects/{projectId}/webhooks/{webhookId}';

interface Part {
  readonly place: WebhookPlace;
  readonly webhook: Webhook;
  readonly changed: () => void;
}

function change(place: WebhookPlace, body: Readonly<Record<string, unknown>>) {
  return dataOf(api.PUT(address, { params: { path: { ...place } }, body: body as never }));
}

function TestButton({ place, webhook, changed }: Part) {
  return (
    <DialogButton label={w.test}>
      {(close) => (
        <Form
          of="test-webhook"
          fields={['type']}
          start={{ type: webhook.events[0] }}
          submit={w.test}
          send={async (body) => {
            const params = { path: { ...place } };
            const made = await dataOf(api.POST(`${address}/deliveries`, { params, body: body as never }));
            close();
            changed();
            setQuery({ open: made.id, after: undefined, type: undefined, status: undefined });
          }}
        />
      )}
    </DialogButton>
  );
}

function Actions(part: Part) {
  const { place, webhook, changed } = part;
  const flip = async () => {
    const set = (active: boolean) => () => change(place, { active });
    await attempt(webhook.active ? words.switchedOff : words.switchedOn, set(!webhook.active), () =>
      attempt(words.undone, set(webhook.active)).then(changed),
    );
    changed();
  };
  const replayAll = async () => {
    let sent = 0;
    const isDone = await attempt(w.replay, async () => {
      sent = await replayFailed(place);
    });
    if (isDone) say(w.replayedAll(count(sent)));
    changed();
  };
  const remove = () =>
    actSoon(
      words.deleted(webhook.target_url),
      () => dataOf(api.DELETE(address, { params: { path: { ...place } } })),
      () => go('/webhooks'),
    );
  return (
    <>
      <TestButton {...part} />
      <button type="button" onClick={replayAll}>
        {w.replayAll}
      </button>
      <button type="button" onClick={flip}>
        {webhook.active ? words.switchOff : words.switchOn}
      </button>
      <DialogButton label={words.edit}>
        {(close) => (
          <Form
            of="update-webhook"
            fields={['target_url', 'events']}
            initial={webhook}
            send={(body) => change(place, body)}
            done={() => {
              close();
              changed();
            }}
          />
        )}
      </DialogButton>
      <button type="button" onClick={remove}>
        {words.delete}
      </button>
    </>
  );
}

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

function Deliveries({ place, webhook, changed }: Part) {
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
      actions={<Actions place={place} webhook={webhook} changed={again} />}
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
        const asked = { limit, starting_after_id: after, type: facet('type'), status: facet('status') };
        const params = { path: { ...place }, query: asked as never };
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
    <Ready of={loaded}>{(webhook) => <Deliveries place={place} webhook={webhook} changed={loaded.reload} />}</Ready>
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

import { DialogButton } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { api, type BodyOf, dataOf } from '../core/api.ts';
import { count } from '../core/format.ts';
import { actSoon, attempt, say } from '../core/notice.ts';
import { go, setQuery } from '../core/router.ts';
import { replayFailed, type Webhook, type WebhookPlace } from '../core/webhooks.ts';
import { words } from '../words.ts';

const w = words.webhooks;

const address = '/management/v1/projects/{projectId}/webhooks/{webhookId}';

export interface WebhookPart {
  readonly place: WebhookPlace;
  readonly webhook: Webhook;
  readonly changed: () => void;
}

function change(place: WebhookPlace, body: BodyOf<'update-webhook'>) {
  return dataOf(api.PUT(address, { params: { path: { ...place } }, body }));
}

function TestButton({ place, webhook, changed }: WebhookPart) {
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
            const made = await dataOf(api.POST(`${address}/deliveries`, { params, body }));
            close();
            changed();
            setQuery({ open: made.id, after: undefined, type: undefined, status: undefined });
          }}
        />
      )}
    </DialogButton>
  );
}

/** Tests, switches, edits and deletes a webhook, and sends its failed deliveries again. */
export function WebhookActions(part: WebhookPart) {
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

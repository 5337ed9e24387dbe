import { Code, Empty, Facts, Page, Panel, Ready, State } from '../components/bits.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf } from '../core/api.ts';
import { count, time } from '../core/format.ts';
import { useFollow, useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import type { Delivery, WebhookPlace } from '../core/webhooks.ts';
import { words } from '../words.ts';

const w = words.webhooks;

type Attempt = Delivery['attempts'][number];

function writeStatus({ status }: Attempt): string {
  if (status === undefined) return w.runs;
  return status === null ? w.noAnswer : String(status);
}

/** Sends one delivery again. */
export function replay(place: WebhookPlace, deliveryId: string) {
  return dataOf(
    api.POST('/management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
      params: { path: { ...place, deliveryId } },
    }),
  );
}

/** Shows a delivery with its attempts, and follows one that has just been asked for. */
export function DeliveryView({ place, id, changed }: { place: WebhookPlace; id: string; changed: () => void }) {
  const params = { path: { ...place, deliveryId: id } };
  const loaded = useLoad(id, () =>
    dataOf(api.GET('/management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}', { params })),
  );
  // A retry may be hours away, and then the screen does not wait for it.
  const { status, next_attempt_at: next } = loaded.data ?? {};
  const isUnderWay = status === 'PENDING' && (!next || new Date(next).getTime() < Date.now() + 60_000);
  useFollow(isUnderWay, loaded, changed);
  const again = async () => {
    await attempt(w.replayed, () => replay(place, id));
    loaded.reload();
    changed();
  };
  return (
    <Ready of={loaded} isWhole>
      {(one) => (
        <Page
          title={<code>{one.type}</code>}
          sub={time(one.created_at)}
          actions={
            one.status !== 'PENDING' && (
              <button type="button" onClick={again}>
                {w.replay}
              </button>
            )
          }
        >
          <Panel title={w.attempts}>
            {one.attempts.length === 0 ? (
              <Empty title={w.noAttempts} />
            ) : (
              <Table
                rows={one.attempts.toReversed()}
                idOf={({ at }) => at}
                columns={[
                  { title: words.moment, cell: ({ at }) => time(at) },
                  { title: w.answer, cell: writeStatus },
                  { title: words.details, cell: ({ answer }) => answer ?? '' },
                  {
                    title: words.work.took,
                    isNumber: true,
                    cell: ({ duration_ms: ms }) => (ms === undefined ? '–' : w.took(count(ms))),
                  },
                ]}
              />
            )}
          </Panel>
          <Facts
            rows={[
              [words.state, <State key="state" of={one.status} />],
              [w.nextAttempt, time(one.next_attempt_at)],
              [w.sentTo, one.target_url],
              [w.entity, one.entity_id && <Code key="entity">{one.entity_id}</Code>],
              [w.event, <Code key="event">{one.event_id}</Code>],
              [words.id, <Code key="id">{one.id}</Code>],
            ]}
          />
        </Page>
      )}
    </Ready>
  );
}

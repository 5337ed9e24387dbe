import { Code, Facts, Figure, Metadata, Page, Panel, Ready, State } from '../components/bits.tsx';
import { FurtherEffects, ReturnedUnits, WhereBack } from '../components/return-parts.tsx';
import { api, dataOf } from '../core/api.ts';
import { money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { readStory } from '../core/order-story.ts';
import { path } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { words } from '../words.ts';
import { callOrder, Returns } from './order.tsx';

const w = words.returns;

async function read(orderId: string, returnId: string) {
  const params = { path: { orderId, returnId } };
  const [done, story] = await Promise.all([
    dataOf(api.GET('/v1/orders/{orderId}/returns/{returnId}', { params })),
    readStory(orderId),
  ]);
  return { done, story };
}

export function ReturnPage({ params: { id = '', returnId = '' } }: ScreenProps) {
  const loaded = useLoad(`${id} ${returnId}`, () => read(id, returnId));
  return (
    <Ready of={loaded} isWhole>
      {({ done, story }) => {
        const { refund } = done;
        const others = story.returns.filter((one) => one.id !== done.id);
        return (
          <Page title={w.ofOrder(callOrder(story))} sub={time(done.created_at)}>
            <div class="figures">
              <Figure label={w.total} value={money(refund.total)} />
              <Figure label={w.inMoney} value={money(refund.money)} />
              <Figure label={w.onCards} value={money(refund.total - refund.money)} />
            </div>
            <div class="columns">
              <div class="stack">
                <Panel title={w.units}>
                  <ReturnedUnits of={done} order={story.order} />
                </Panel>
                <Panel title={w.where}>
                  <WhereBack of={done} />
                  {refund.money > 0 && <small>{w.moneyHint}</small>}
                </Panel>
              </div>
              <div class="stack">
                <Panel title={w.besides}>
                  <FurtherEffects of={done} parts={story.parts} />
                </Panel>
                <Panel title={words.details}>
                  <Facts
                    rows={[
                      [
                        words.order,
                        <a key="order" href={path('orders', story.order.id)}>
                          {callOrder(story)}
                        </a>,
                      ],
                      [w.orderNow, <State key="state" of={story.order.status} />],
                      [words.vouchers.reason, done.reason],
                      [words.sourceId, done.source_id],
                      Boolean(done.id) && [words.id, <Code key="id">{done.id ?? ''}</Code>],
                    ]}
                  />
                </Panel>
                <Returns of={{ ...story, returns: others }} title={w.others} />
                <Metadata of={done.metadata} />
              </div>
            </div>
          </Page>
        );
      }}
    </Ready>
  );
}

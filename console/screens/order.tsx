import type { ComponentChildren } from 'preact';
import { Code, Facts, Figure, Metadata, Page, Panel, Ready, State } from '../components/bits.tsx';
import { nameOf } from '../components/checkouts.tsx';
import { CustomerName } from '../components/person.tsx';
import { CardLink, lessMoney } from '../components/return-parts.tsx';
import { Table } from '../components/table.tsx';
import { discountOf } from '../core/day-events.ts';
import { count, money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { addStoryUp, listLines, listPayments, type OrderStory, readEarned, readStory } from '../core/order-story.ts';
import type { Redemption } from '../core/redemption.ts';
import { path } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { words } from '../words.ts';
import { ReturnButton } from './return-order.tsx';

const w = words.returns;

function Lines({ of }: { of: OrderStory }) {
  const isWhole = of.order.items.length === 0;
  return (
    <Panel title={w.lines}>
      <div class="wide">
        <Table
          rows={listLines(of)}
          idOf={({ id }) => id}
          columns={[
            {
              title: w.line,
              cell: (one) => (
                <>
                  {one.name ? `${count(one.quantity)} × ${one.name}` : isWhole ? w.whole : w.rest}
                  {(one.returned > 0 || one.returnedAmount > 0) && (
                    <small class="under">
                      {isWhole
                        ? w.amountReturned(money(one.returnedAmount))
                        : w.returned(count(one.returned), count(one.quantity))}
                    </small>
                  )}
                </>
              ),
            },
            { title: w.amount, isNumber: true, cell: ({ amount }) => money(amount) },
            { title: w.discount, isNumber: true, isExtra: true, cell: ({ discount }) => lessMoney(discount) },
            { title: w.share, isNumber: true, cell: ({ share }) => lessMoney(share) },
            { title: w.worth, isNumber: true, cell: ({ worth }) => money(worth) },
          ]}
        />
      </div>
      <small>{w.linesHint}</small>
    </Panel>
  );
}

interface PaidRow {
  readonly id: string;
  readonly by: ComponentChildren;
  readonly paid: number;
  readonly back: number;
}

function Payments({ of }: { of: OrderStory }) {
  const { money: inMoney, moneyBack } = addStoryUp(of);
  const rows: PaidRow[] = [
    ...listPayments(of).map(({ redemption, paid, points, back, pointsBack }) => ({
      id: redemption.id,
      by: (
        <>
          <CardLink code={nameOf(redemption)} />
          {points > 0 && <small class="under">{w.pointsPaid(count(points), count(pointsBack))}</small>}
        </>
      ),
      paid,
      back,
    })),
    { id: 'money', by: of.order.status === 'CREATED' ? w.notPaid : w.money, paid: inMoney, back: moneyBack },
  ];
  return (
    <Panel title={w.payments}>
      <Table
        rows={rows}
        idOf={({ id }) => id}
        columns={[
          { title: w.paidBy, cell: ({ by }) => by },
          { title: w.paid, isNumber: true, cell: ({ paid }) => money(paid) },
          { title: w.back, isNumber: true, cell: ({ back }) => (back > 0 ? money(back) : '–') },
        ]}
      />
    </Panel>
  );
}

function sayEffect(one: Redemption): string {
  if (one.gift?.amount) return w.pays(money(one.gift.amount));
  if (one.loyalty_card?.points) return w.paysPoints(count(one.loyalty_card.points));
  const off = discountOf(one);
  return off > 0 ? words.benefit.off(money(off)) : '–';
}

function Redemptions({ of: { parts } }: { of: OrderStory }) {
  if (parts.length === 0) return null;
  return (
    <Panel title={words.screens.redemptions}>
      <Table
        rows={parts}
        idOf={({ id }) => id}
        columns={[
          {
            title: words.redemptions.what,
            cell: (one) => (
              <a href={`${path('redemptions')}?open=${one.id}`}>
                <code>{nameOf(one)}</code>
              </a>
            ),
          },
          { title: w.effect, cell: sayEffect },
          { title: words.state, cell: ({ status }) => <State of={status} /> },
        ]}
      />
    </Panel>
  );
}

function Earned({ of }: { of: OrderStory }) {
  const { data } = useLoad(`${of.order.id} ${of.returns.length}`, () => readEarned(of));
  const known = data?.filter(({ earned }) => earned > 0) ?? [];
  if (known.length === 0) return null;
  return (
    <Panel title={w.earned}>
      <Table
        rows={known}
        idOf={({ code }) => code}
        columns={[
          { title: w.card, cell: ({ code }) => <CardLink code={code} /> },
          { title: w.earnedPoints, isNumber: true, cell: ({ earned }) => count(earned) },
          {
            title: w.takenBack,
            isNumber: true,
            cell: ({ taken, missing }) => (
              <>
                {taken > 0 ? count(taken) : '–'}
                {missing > 0 && <small class="under">{w.missing(count(missing))}</small>}
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

export function Returns({ of: { order, returns }, title = w.title }: { of: OrderStory; title?: string }) {
  if (returns.length === 0) return null;
  return (
    <Panel title={title}>
      <Table
        rows={returns}
        idOf={({ id }) => id}
        columns={[
          {
            title: words.moment,
            cell: ({ id, created_at: at }) => <a href={path('orders', order.id, 'returns', id)}>{time(at)}</a>,
          },
          { title: words.vouchers.reason, isExtra: true, cell: ({ reason }) => reason ?? '–' },
          { title: w.inMoney, isNumber: true, cell: ({ refund }) => money(refund.money) },
          { title: w.total, isNumber: true, cell: ({ refund }) => money(refund.total) },
        ]}
      />
    </Panel>
  );
}

export const callOrder = ({ order }: OrderStory) =>
  order.source_id ?? words.redemptions.order(money(order.total_amount ?? order.amount));

function Story({ of, reload, isBeside }: { of: OrderStory; reload: () => void; isBeside: boolean }) {
  const { order } = of;
  const { amount, discount, worth, back } = addStoryUp(of);
  return (
    <Page
      title={callOrder(of)}
      sub={time(order.created_at)}
      actions={
        <>
          {isBeside && <a href={path('orders', order.id)}>{w.page}</a>}
          <ReturnButton of={of} changed={reload} />
        </>
      }
    >
      <div class="figures">
        <Figure label={w.amount} value={money(amount)} />
        <Figure label={words.today.discount} value={lessMoney(discount)} />
        <Figure label={w.worth} value={money(worth)} />
        <Figure label={w.back} value={back > 0 ? money(back) : '–'} />
      </div>
      <div class="columns">
        <div class="stack">
          <Lines of={of} />
          <Payments of={of} />
          <Returns of={of} />
        </div>
        <div class="stack">
          <Redemptions of={of} />
          <Earned of={of} />
          <Panel title={words.details}>
            <Facts
              rows={[
                [words.state, <State key="state" of={order.status} />],
                Boolean(order.customer_id) && [
                  words.customer,
                  <CustomerName key="customer" id={order.customer_id ?? ''} />,
                ],
                [words.sourceId, order.source_id],
                [words.id, <Code key="id">{order.id}</Code>],
              ]}
            />
          </Panel>
          <Metadata of={order.metadata} />
        </div>
      </div>
    </Page>
  );
}

interface OrderViewProps {
  readonly id: string;
  /** Hears changes, if the order is shown next to a list. */
  readonly changed?: () => void;
}

export function OrderView({ id, changed }: OrderViewProps) {
  const loaded = useLoad(id, () => readStory(id));
  const reload = () => {
    loaded.reload();
    changed?.();
  };
  return (
    <Ready of={loaded} isWhole>
      {(story) => <Story of={story} reload={reload} isBeside={changed !== undefined} />}
    </Ready>
  );
}

export function OrderPage({ params }: ScreenProps) {
  return <OrderView id={params.id ?? ''} />;
}

import { Code, Facts, Page, Panel, Ready, State } from '../components/bits.tsx';
import { CheckoutNames, CustomerLink, nameOf, OrderLink } from '../components/checkouts.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { Totals } from '../components/outcomes.tsx';
import { Table } from '../components/table.tsx';
import { type Checkout, readCheckout, rollBack } from '../core/checkouts.ts';
import { discountOf } from '../core/day-events.ts';
import { count, human, money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import type { Redemption } from '../core/redemption.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.redemptions;

/** Says what a redemption gives back when it is rolled back. */
function sayReturn(one: Redemption): string {
  if (one.gift?.amount) return w.returnsCredits(money(one.gift.amount));
  if (one.loyalty_card?.points) return w.returnsPoints(count(one.loyalty_card.points));
  const off = discountOf(one);
  return off > 0 ? w.returnsUseAndDiscount(money(off)) : w.returnsUse;
}

/** Shows what would return before it rolls the whole checkout back, because nothing undoes a rollback. */
function RollBack({ checkout, changed }: { checkout: Checkout; changed: () => void }) {
  const { parts, whole } = checkout;
  const label = parts.length > 1 ? w.rollBackAll(count(parts.length)) : words.simulator.rollBack;
  const act = async (close: () => void) => {
    if (await attempt(words.simulator.rolledBack, () => rollBack(checkout))) close();
    changed();
  };
  return (
    <DialogButton label={label} title={w.rollBackTitle}>
      {(close) => (
        <div class="fields">
          <ul class="returns">
            {parts.map((one) => (
              <li key={one.id}>
                <code>{nameOf(one)}</code> {sayReturn(one)}
              </li>
            ))}
            {whole.order && <li>{w.orderCanceled}</li>}
          </ul>
          <p>{w.pointsStay}</p>
          <div class="actions">
            <button type="button" class="main" onClick={() => act(close)}>
              {label}
            </button>
          </div>
        </div>
      )}
    </DialogButton>
  );
}

function Parts({ of: { parts } }: { of: Checkout }) {
  return (
    <Panel title={w.parts(count(parts.length))}>
      <Table
        rows={parts}
        idOf={({ id }) => id}
        columns={[
          { title: w.what, cell: (one) => <a href={`?open=${one.id}`}>{nameOf(one)}</a> },
          { title: words.campaign, cell: ({ voucher }) => voucher?.campaign ?? '–' },
          { title: words.state, cell: ({ status }) => <State of={status} /> },
          { title: words.today.discount, isNumber: true, cell: (one) => money(discountOf(one)) },
        ]}
      />
    </Panel>
  );
}

export function RedemptionView({ id, changed }: { id: string; changed: () => void }) {
  const loaded = useLoad(id, () => readCheckout(id));
  const reload = () => {
    loaded.reload();
    changed();
  };
  return (
    <Ready of={loaded}>
      {({ one, ...checkout }) => {
        const { whole, parts } = checkout;
        const isPart = one.id !== whole.id;
        const shown = isPart ? one : whole;
        const { voucher } = parts.length > 1 && !isPart ? { voucher: undefined } : one;
        const points = one.loyalty_card?.points;
        return (
          <Page
            title={isPart ? nameOf(one) : <CheckoutNames of={checkout} />}
            sub={time(one.date)}
            actions={
              whole.object === 'redemption' &&
              whole.status === 'SUCCEEDED' && <RollBack checkout={checkout} changed={reload} />
            }
          >
            {one.failure_code && (
              <div class="verdict no">
                <strong>{human(one.failure_code)}</strong>
                <p>{one.failure_message}</p>
              </div>
            )}
            {parts.length > 1 && <Parts of={checkout} />}
            {shown.order && (
              <Panel title={words.order}>
                <Totals order={shown.order} />
              </Panel>
            )}
            <Facts
              rows={[
                [words.state, <State key="state" of={one.status} />],
                Boolean(voucher) && [
                  words.vouchers.code,
                  <a key="code" href={path('vouchers', voucher?.code ?? '')}>
                    {voucher?.code}
                  </a>,
                ],
                Boolean(voucher?.campaign_id) && [
                  words.campaign,
                  <a key="campaign" href={path('campaigns', voucher?.campaign_id ?? '')}>
                    {voucher?.campaign}
                  </a>,
                ],
                Boolean(one.gift?.amount) && [w.paidByCard, money(one.gift?.amount)],
                Boolean(points) && [w.paidByPoints, count(points)],
                Boolean(one.customer) && [words.customer, <CustomerLink key="customer" of={one} />],
                Boolean(shown.order?.id) && [words.order, <OrderLink key="order" of={shown} />],
                [w.channel, one.channel?.channel_id],
                [words.id, <Code key="id">{one.id}</Code>],
              ]}
            />
          </Page>
        );
      }}
    </Ready>
  );
}

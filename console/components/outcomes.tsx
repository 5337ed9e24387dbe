import type { Schemas } from '../core/api.ts';
import { writeDiscount } from '../core/benefit.ts';
import { count, human, money } from '../core/format.ts';
import { words } from '../words.ts';
import { Badge, type Tone } from './bits.tsx';
import { Trace } from './trace.tsx';

type Outcome = Schemas['Redeemable'];
type Order = Pick<Schemas['RedeemedOrder'], 'amount' | 'total_amount' | 'total_applied_discount_amount' | 'items'>;

const tones: Readonly<Record<Outcome['status'], Tone>> = { APPLICABLE: 'good', INAPPLICABLE: 'bad', SKIPPED: 'warm' };

function effectOf({ result }: Outcome): string {
  if (result.gift) return words.simulator.credits(money(result.gift.credits));
  if (result.loyalty_card) return words.simulator.points(count(result.loyalty_card.points));
  return result.discount ? writeDiscount(result.discount) : '';
}

/** Lists each redeemable in the order in which it was applied, with the lines that it changed. */
export function Outcomes({ of }: { of: readonly Outcome[] }) {
  return (
    <div class="stack">
      {of.map((one, index) => {
        const lines = one.order?.items?.filter((item) => item.applied_discount_amount) ?? [];
        return (
          <section key={one.id} class="result">
            <header>
              <small>{index + 1}</small>
              <strong>{one.name ?? one.id}</strong>
              <Badge tone={tones[one.status]}>{human(one.status)}</Badge>
              {one.categories?.map(({ name }) => (
                <Badge key={name}>{name}</Badge>
              ))}
              {one.status === 'APPLICABLE' && one.order && (
                <b>−{money(one.order.total_applied_discount_amount ?? 0)}</b>
              )}
            </header>
            <small>{[one.campaign_name, effectOf(one)].filter(Boolean).join(' · ')}</small>
            {one.status !== 'APPLICABLE' && <Trace of={one} />}
            {lines.map((item) => (
              <small key={item.product_id}>
                {words.simulator.line(item.product?.name ?? item.product_id ?? '', money(item.applied_discount_amount))}
              </small>
            ))}
          </section>
        );
      })}
    </div>
  );
}

/** Adds the cart up. */
export function Totals({ order }: { order: Order }) {
  return (
    <table class="list small sum">
      <tbody>
        {order.items?.map((item) => (
          <tr key={item.product_id}>
            <td>{`${count(item.quantity)} × ${item.product?.name ?? item.product_id}`}</td>
            <td>{item.applied_discount_amount ? `−${money(item.applied_discount_amount)}` : ''}</td>
            <td>{money(item.amount)}</td>
          </tr>
        ))}
        <tr>
          <td>{words.simulator.amount}</td>
          <td />
          <td>{money(order.amount)}</td>
        </tr>
        <tr>
          <td>{words.today.discount}</td>
          <td />
          <td>−{money(order.total_applied_discount_amount ?? 0)}</td>
        </tr>
        <tr>
          <td>
            <b>{words.simulator.total}</b>
          </td>
          <td />
          <td>
            <b>{money(order.total_amount)}</b>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

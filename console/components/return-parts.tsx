import { count, human, money } from '../core/format.ts';
import { nameLine, type Order, type OrderReturn, type ReturnDone, restId } from '../core/order-story.ts';
import type { Redemption } from '../core/redemption.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';
import { nameOf } from './checkouts.tsx';
import { Table } from './table.tsx';

/** Shows what a return does, before it is done and afterwards alike. */

const w = words.returns;

type Done = Omit<OrderReturn, 'id' | 'object'> | ReturnDone;

export const CardLink = ({ code }: { code: string }) => (
  <a href={path('vouchers', code)}>
    <code>{code}</code>
  </a>
);

/** Shows the destinations of the refund, and adds it up. */
export function WhereBack({ of: { refund, reclaimed } }: { of: Done }) {
  const { credits, points } = refund;
  const isGone = [...credits, ...points].some(({ note }) => note === 'card_deleted');
  return (
    <>
      <div class="wide">
        <table class="list small sum">
          <tbody>
            <tr>
              <td>{w.money}</td>
              <td>{w.byShop}</td>
              <td>{money(refund.money)}</td>
            </tr>
            {credits.map((one) => (
              <tr key={one.redemption_id}>
                <td>
                  <CardLink code={one.code} />
                </td>
                <td>{one.note ? w.cardDeleted : w.onCard}</td>
                <td>{money(one.amount)}</td>
              </tr>
            ))}
            {points.map((one) => (
              <tr key={one.redemption_id}>
                <td>
                  <CardLink code={one.code} />
                </td>
                <td>{one.note ? w.cardDeleted : w.points(count(one.points))}</td>
                <td>{money(one.worth)}</td>
              </tr>
            ))}
            <tr>
              <td>
                <b>{w.total}</b>
              </td>
              <td />
              <td>
                <b>{money(refund.total)}</b>
              </td>
            </tr>
          </tbody>
        </table>
      </div>
      {isGone && <p>{w.goneHint}</p>}
      {Boolean(reclaimed) && <p>{w.reclaimed(money(reclaimed))}</p>}
    </>
  );
}

/** Lists the returned units with their worth. */
export function ReturnedUnits({ of: { items }, order }: { of: Done; order: Order }) {
  const nameOfLine = (id: string) => {
    const item = order.items.find((one) => one.id === id);
    if (item) return nameLine(item);
    return order.items.length === 0 ? w.whole : id === restId ? w.rest : id;
  };
  return (
    <div class="wide">
      <Table
        rows={items}
        idOf={({ id }) => id}
        columns={[
          {
            title: w.line,
            cell: ({ id, quantity }) =>
              quantity > 0 && id !== restId ? `${count(quantity)} × ${nameOfLine(id)}` : nameOfLine(id),
          },
          { title: w.amount, isNumber: true, isExtra: true, cell: ({ amount }) => money(amount) },
          { title: w.discount, isNumber: true, isExtra: true, cell: ({ discount }) => lessMoney(discount) },
          { title: w.share, isNumber: true, cell: (one) => lessMoney(one.order_discount_share) },
          { title: w.worth, isNumber: true, cell: ({ net }) => money(net) },
        ]}
      />
    </div>
  );
}

/** Writes an amount that is subtracted. */
export const lessMoney = (minor: number) => (minor > 0 ? `−${money(minor)}` : '–');

interface FurtherProps {
  readonly of: Done;
  readonly parts: readonly Redemption[];
}

/** Says which earned points are taken, which redemptions are rolled back, and what is unknown. */
export function FurtherEffects({ of, parts }: FurtherProps) {
  const earned = of.earned_points.filter(({ points }) => points > 0);
  const rolled = parts.filter(({ id }) => of.rolled_back.includes(id));
  const { notes = [] } = of;
  if (earned.length + rolled.length + (notes?.length ?? 0) === 0) return <p>{w.nothingElse}</p>;
  return (
    <ul class="returns">
      {earned.map(({ voucher_id: id, code, taken_from: from, missing }) => (
        <li key={id}>
          <CardLink code={code} /> {w.taken(count(from.pending + from.balance), count(from.pending), from.pending > 0)}
          {missing > 0 && <b> {w.missing(count(missing))}</b>}
        </li>
      ))}
      {rolled.map((one) => (
        <li key={one.id}>
          <a href={`${path('redemptions')}?open=${one.id}`}>
            <code>{nameOf(one)}</code>
          </a>{' '}
          {w.rolledBack}
        </li>
      ))}
      {notes?.map((note) => (
        <li key={note}>{human(note)}</li>
      ))}
    </ul>
  );
}

import { human, money } from '../core/format.ts';
import { partOf } from '../core/part.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';

interface Activity {
  readonly type: string;
  readonly data: unknown;
}

/** Says in words what happened to a customer. A return leads to its page. */
export function ActivityLine({ of: { type, data } }: { of: Activity }) {
  const inner = partOf(data, 'data') ?? data;
  const [order, done] = [partOf(inner, 'order'), partOf(inner, 'order_return')];
  const [orderId, returnId] = [partOf(order, 'id'), partOf(done, 'id')];
  if (type !== 'customer.order.returned' || typeof orderId !== 'string' || typeof returnId !== 'string')
    return <span>{human(type.replace('customer.', ''))}</span>;
  const ownId = partOf(order, 'source_id');
  const total = Number(partOf(partOf(done, 'refund'), 'total'));
  return (
    <span>
      <a href={path('orders', orderId, 'returns', returnId)}>
        {words.returns.happened(money(total), typeof ownId === 'string' ? ownId : '')}
      </a>
    </span>
  );
}

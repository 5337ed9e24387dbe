import { itemsIn } from '../components/cart.tsx';
import type { BodyOf } from '../core/api.ts';
import { query, setQuery } from '../core/router.ts';

/** The address holds the simulator's request. */

export const listIn = (name: string) =>
  (query.value.get(name) ?? '').split(',').filter(Boolean).map(decodeURIComponent);

function kindOf(id: string): 'voucher' | 'promotion_tier' | 'promotion_stack' {
  if (id.startsWith('promo_')) return 'promotion_tier';
  return id.startsWith('stack_') ? 'promotion_stack' : 'voucher';
}

/** Returns the request that the address describes. */
export function readRequest(): Pick<BodyOf<'validate-redeemables'>, 'redeemables' | 'order' | 'customer'> {
  const customer = query.value.get('customer')?.trim();
  return {
    redeemables: listIn('codes').map((id) => ({ object: kindOf(id), id })),
    order: { items: itemsIn(query.value.get('items') ?? '') },
    customer: customer ? (customer.startsWith('cust_') ? { id: customer } : { source_id: customer }) : undefined,
  };
}

export const setCodes = (codes: readonly string[]) => setQuery({ codes: codes.map(encodeURIComponent).join(',') });

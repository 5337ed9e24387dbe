import { api, dataOf, type QueryOf } from './api.ts';
import { isParent } from './day-events.ts';
import type { Redemption } from './redemption.ts';

/** Folds the redemptions of one order into one row. */

export interface Checkout {
  readonly whole: Redemption;
  /** Are the redemptions of each code and promotion. A checkout of one is its only part. */
  readonly parts: readonly Redemption[];
}

const mostParts = 100;

/** Leaves out parts of checkouts, which show with their checkout, and rollbacks, which show as its state. */
export const wholeOnly: NonNullable<QueryOf<'list-redemptions'>['filters']> = {
  parent_redemption_id: { conditions: { $is_unknown: [true] } },
};

async function readParts(parents: readonly string[]): Promise<Redemption[]> {
  const filters = { parent_redemption_id: { conditions: { $in: [...parents] } } };
  const parts: Redemption[] = [];
  for (let page = 1; ; page += 1) {
    const query: QueryOf<'list-redemptions'> = { limit: mostParts, page, filters, order: 'created_at' };
    const reply = await dataOf(api.GET('/v1/redemptions', { params: { query } }));
    parts.push(...reply.redemptions);
    if (!reply.has_more) return parts;
  }
}

/** Reads the parts of checkouts by one more question. */
export async function foldCheckouts(found: readonly Redemption[]): Promise<Checkout[]> {
  const parents = found.filter(isParent).map(({ id }) => id);
  const parts = parents.length > 0 ? await readParts(parents) : [];
  // A rollback also names the checkout's record, but is not part of the checkout.
  const ofParent = Map.groupBy(
    parts.filter(({ object }) => object === 'redemption'),
    ({ redemption }) => redemption ?? '',
  );
  return found.map((whole) => ({ whole, parts: isParent(whole) ? (ofParent.get(whole.id) ?? []) : [whole] }));
}

/** Reads the checkout to which a redemption belongs, and the redemption itself. */
export async function readCheckout(id: string): Promise<Checkout & { readonly one: Redemption }> {
  const read = (redemptionId: string) =>
    dataOf(api.GET('/v1/redemptions/{redemptionId}', { params: { path: { redemptionId } } }));
  const one = await read(id);
  const parentId = one.object === 'redemption' ? one.redemption : null;
  const whole = parentId ? await read(parentId) : one;
  const ids = whole.object === 'redemption' ? (whole.related_redemptions?.redemptions ?? []) : [];
  const parts = ids.length > 0 ? await Promise.all(ids.map((part) => read(part.id))) : [whole];
  return { one, whole, parts };
}

/** Rolls a checkout back as a whole. */
export function rollBack({ whole }: Checkout) {
  const params = { path: { redemptionId: whole.id } };
  return isParent(whole)
    ? dataOf(api.POST('/v1/redemptions/{redemptionId}/rollbacks', { params, body: {} }))
    : dataOf(api.POST('/v1/redemptions/{redemptionId}/rollback', { params, body: {} }));
}

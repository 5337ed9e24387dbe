import * as v from 'valibot';
import { expect, test } from 'vitest';
import { handler as discountCart } from '../../functions/commerce/discount-cart.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { caller, type Reply } from '../support/call.ts';
import { readCommerceSchemas } from '../support/commerce-schemas.ts';
import { commerceLists, drawCart } from '../support/commerce-shop.ts';
import { loadProject } from '../support/project.ts';
import { seeded } from '../support/seeded.ts';

/** `COMMERCE_CARTS=10000` sends as many carts as a fair has in a day. */
const carts = Number(process.env.COMMERCE_CARTS ?? 60);
/** `COMMERCE_SCHEMAS` names a folder with the published schemas, which then also check each reply. */
const folder = process.env.COMMERCE_SCHEMAS;
const publishedFaults = folder ? readCommerceSchemas(folder) : () => [];

const headers = (await loadProject(commerceLists)).credentials;

const ask = (body: object, protocol = 'ucp') => caller(discountCart)({ headers, query: `protocol=${protocol}`, body });
const sum = (all: readonly { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0);
const amountOf = (totals: readonly { type: string; amount: number }[], type: string) =>
  totals.find((total) => total.type === type)?.amount ?? 0;

const amount = v.pipe(v.number(), v.integer(), v.minValue(0));
const total = v.variant('type', [
  v.strictObject({ type: v.picklist(['subtotal', 'total']), display_text: v.string(), amount }),
  v.strictObject({
    type: v.literal('items_discount'),
    display_text: v.string(),
    amount: v.pipe(v.number(), v.integer(), v.maxValue(-1)),
  }),
]);
const applied = {
  code: v.optional(v.string()),
  amount,
  automatic: v.boolean(),
  method: v.picklist(['each', 'across']),
  priority: v.pipe(v.number(), v.integer(), v.minValue(1)),
  allocations: v.array(v.strictObject({ path: v.pipe(v.string(), v.regex(/^\$\.line_items\[\d+\]$/)), amount })),
};
const ucpShape = v.strictObject({
  currency: v.literal('EUR'),
  line_items: v.array(
    v.strictObject({
      id: v.string(),
      item: v.strictObject({ id: v.string(), title: v.pipe(v.string(), v.minLength(1)), price: amount }),
      quantity: v.pipe(v.number(), v.integer(), v.minValue(1)),
      totals: v.array(total),
    }),
  ),
  discounts: v.strictObject({
    codes: v.array(v.string()),
    applied: v.array(v.strictObject({ ...applied, title: v.pipe(v.string(), v.minLength(1)) })),
  }),
  totals: v.array(total),
  messages: v.array(
    v.strictObject({
      type: v.literal('warning'),
      code: v.pipe(
        v.string(),
        v.regex(
          /^discount_code_(expired|invalid|already_applied|combination_disallowed|user_not_logged_in|user_ineligible)$/,
        ),
      ),
      path: v.pipe(v.string(), v.regex(/^\$\.discounts\.codes\[\d+\]$/)),
      content: v.pipe(v.string(), v.minLength(1)),
    }),
  ),
});

/** Checks what must be true for each reply, whatever the cart. */
function checkSums({ line_items, discounts, totals }: v.InferOutput<typeof ucpShape>): void {
  const borne = line_items.map(() => 0);
  for (const { amount, allocations } of discounts.applied) {
    expect(sum(allocations)).toBe(amount);
    for (const { path, amount: part } of allocations) {
      const line = Number(/\d+/.exec(path)?.[0]);
      expect(line).toBeLessThan(line_items.length);
      borne[line] = (borne[line] ?? 0) + part;
    }
  }
  expect(line_items.map((line) => Math.abs(amountOf(line.totals, 'items_discount')))).toEqual(borne);
  for (const type of ['subtotal', 'items_discount', 'total']) {
    const ofLines = line_items.reduce((all, line) => all + amountOf(line.totals, type), 0);
    expect(amountOf(totals, type)).toBe(ofLines);
  }
  expect(amountOf(totals, 'subtotal') + amountOf(totals, 'items_discount')).toBe(amountOf(totals, 'total'));
  expect(discounts.applied.map(({ priority }) => priority)).toEqual(discounts.applied.map((_, index) => index + 1));
}

test(`of ${carts} random carts, allocations sum to amounts, each code is answered once, and the till takes off the same`, {
  timeout: 3_600_000,
}, async () => {
  const draw = seeded(37);
  for (let round = 0; round < carts; round++) {
    const body = drawCart(draw);
    const [ucp, acp] = await Promise.all([ask(body), ask(body, 'acp')]);
    expect([ucp.status, acp.status]).toEqual([200, 200]);
    expect([...publishedFaults('ucp', ucp.body), ...publishedFaults('acp', acp.body)]).toEqual([]);
    const shown = v.parse(ucpShape, ucp.body);
    checkSums(shown);
    const named = shown.discounts.applied.flatMap(({ code }) => code ?? []);
    expect(named.length + shown.messages.length).toBe(body.discounts.codes.length);
    expect(acp.body.discounts.rejected.map(({ code }: { code: string }) => code)).toEqual(
      shown.messages.map(({ path }) => body.discounts.codes[Number(/\d+/.exec(path)?.[0])]),
    );
    expect(acp.body.discounts.applied.map(({ amount }: { amount: number }) => amount)).toEqual(
      shown.discounts.applied.map(({ amount }) => amount),
    );
    if (acp.body.discounts.applied.length === 0) continue;
    const till = await redeemablesOf(acp, body);
    expect(till.body.valid).toBe(true);
    expect(till.body.order.total_amount).toBe(amountOf(shown.totals, 'total'));
  }
});

/** Validates at the till what the reply says is applied. */
function redeemablesOf(acp: Reply, { line_items, buyer }: ReturnType<typeof drawCart>) {
  const redeemables = acp.body.discounts.applied.map(({ id }: { id: string }) => ({
    object: id.startsWith('promo_') ? 'promotion_tier' : 'voucher',
    id,
  }));
  const items = line_items.map(({ item: { id, price }, quantity }) => ({
    product: { source_id: id },
    sku: { source_id: id },
    quantity,
    ...(price === undefined ? {} : { price }),
  }));
  const customer = buyer && { source_id: buyer.customer_id };
  return caller(validateRedeemables)({ headers, body: { redeemables, order: { items }, customer } });
}

import type { Entry, ProjectFile } from './exported.ts';
import { programme } from './loyalty.ts';
import { projectFile } from './project.ts';

const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Two objects in a row have the same moment, so that a window may begin between them. */
const momentOf = (index: number) => `2026-01-02T03:${String(10 + Math.floor(index / 2))}:00.000Z`;

export const size = 25;

const ruled = (rule: string, index: number) => ({
  rule_id: rule,
  related_object_type: 'voucher',
  related_object_id: `CARD-${index}`,
  created_at: momentOf(index),
});

/** A shop whose every list is longer than the pages of its source. */
export function shop() {
  return projectFile({
    campaigns: [programme('camp_club', { name: 'Club' })],
    customers: numbered(size, (index) => ({ id: `cust_${index}`, name: `N ${index}`, created_at: momentOf(index) })),
    segments: [
      { id: 'seg_all', name: 'All', type: 'static', customers: numbered(size, (index) => `cust_${index}`) },
      { id: 'seg_few', name: 'Few', type: 'static', customers: ['cust_3'] },
    ],
    validation_rules: numbered(5, (index) => ({ id: `val_${index}`, name: `R ${index}`, rules: {} })),
    validation_rules_assignments: numbered(size, (index) => ruled(`val_${index % 5}`, index)),
    products: numbered(size, (index) => ({
      id: `prod_${index}`,
      name: `P ${index}`,
      price: 100 + index,
      created_at: momentOf(index),
    })),
    vouchers: numbered(size, (index) => ({
      code: `CARD-${index}`,
      type: 'LOYALTY_CARD',
      campaign_id: 'camp_club',
      holder_id: `cust_${index}`,
      loyalty_card: { points: 50, balance: 50 },
      created_at: momentOf(index),
    })),
    orders: numbered(size, (index) => ({
      id: `ord_${index}`,
      status: 'PAID',
      amount: 2 * (100 + index),
      total_amount: 2 * (100 + index),
      customer_id: `cust_${index}`,
      items: [
        {
          object: 'order_item',
          product_id: `prod_${index}`,
          quantity: 2,
          price: 100 + index,
          amount: 2 * (100 + index),
          subtotal_amount: 2 * (100 + index),
        },
      ],
      created_at: momentOf(index),
    })),
    redemptions: numbered(size, (index) => ({
      id: `r_${index}`,
      date: momentOf(index),
      result: 'SUCCESS',
      voucher_code: `CARD-${index}`,
      campaign_id: 'camp_club',
      campaign: 'Club',
      points: 1,
      order: { id: `ord_${index}`, amount: 2 * (100 + index) },
    })),
  });
}

const figuresOf = ({ id, product_id, quantity, price, amount }: Entry) => [id, product_id, quantity, price, amount];

/** Returns the lists that are longer than pages, without the order of the table. */
export function longLists(file: ProjectFile) {
  const sorted = (list: string, pick: (entry: Entry) => unknown) =>
    (file[list] ?? []).map((entry: Entry) => JSON.stringify(pick(entry))).sort();
  return {
    customers: sorted('customers', ({ id, name }) => [id, name]),
    products: sorted('products', ({ id, name, price }) => [id, name, price]),
    orders: sorted('orders', ({ id, status, amount, items }) => [
      id,
      status,
      amount,
      (items as Entry[]).map(figuresOf),
    ]),
    cards: sorted('vouchers', ({ code, loyalty_card }) => [code, (loyalty_card as Entry).balance]),
    segments: sorted('segments', ({ id, customers }) => [id, (customers as string[]).toSorted()]),
    assignments: sorted('validation_rules_assignments', ({ rule_id, related_object_id }) => [
      rule_id,
      related_object_id,
    ]),
  };
}

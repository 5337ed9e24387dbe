/** Amounts of an order that files have, and by which orders are filtered. */
export const orderFigures = [
  'amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
] as const;

/** By what orders are filtered, in lists and in exports. */
export const orderFilters = {
  id: 'text',
  created_at: 'date',
  updated_at: 'date',
  status: 'text',
  source_id: 'text',
  customer_id: 'text',
  referrer_id: 'text',
  ...Object.fromEntries(orderFigures.map((name) => [name, 'number' as const])),
  'metadata.*': 'any',
} as const;

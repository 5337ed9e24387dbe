/** Amounts of an order in files and filters. */
export const orderFigures = [
  'amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
] as const;

/** Fields by which orders are filtered, in lists and exports. */
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

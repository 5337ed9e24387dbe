/** Names the fields that filter products and SKUs, in lists and in exports. */

const common = {
  id: 'text',
  source_id: 'text',
  price: 'number',
  created_at: 'date',
  updated_at: 'date',
  'metadata.*': 'any',
} as const;

export const productFilters = { ...common, name: 'text', attributes: 'list' } as const;

export const skuFilters = {
  ...common,
  product_id: 'text',
  sku: 'text',
  currency: 'text',
  'attributes.*': 'any',
} as const;

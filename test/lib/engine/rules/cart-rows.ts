import { cart, type Row } from './verdict.ts';

const red = { product: { metadata: { colour: 'red' } } };
const blue = { product: { metadata: { colour: 'blue' } } };

/** Rows about the collections of lines, by names about products or SKUs. */
const ofCollections = (name: string): Row[] => [
  [
    name,
    null,
    { $from: ['pc_1', 'pc_2'] },
    [cart({}, { product_id: 'prod_1', sku_id: 'sku_1', collections: ['pc_2'] })],
    [cart({ collections: ['pc_3'] }), cart({ product_id: 'pc_1', sku_id: 'pc_1', source_id: 'pc_1' }), cart()],
  ],
  [
    name,
    null,
    { $is: [{ id: 'pc_1', object: 'products_collection' }] },
    [cart({ collections: ['pc_1'] })],
    [cart({ collections: ['pc_2'] }), cart({})],
  ],
  [
    name,
    null,
    { $is_not: ['pc_1'] },
    [cart({ collections: ['pc_2'] }), cart()],
    [cart({ collections: ['pc_2'] }, { collections: ['pc_1'] })],
  ],
];

/** Rows about the lines of an order, and their products and SKUs. */
export const cartRows: Row[] = [
  ['order.items.count', null, { $is: [2] }, [cart({ quantity: 5 }, {})], [cart({ quantity: 2 })]],
  [
    'order.items.price_any',
    null,
    { $more_than: [50] },
    [cart({ price: 10 }, { amount: 120, quantity: 2 })],
    [cart({ price: 50 }), cart({ amount: 100, quantity: 2 }), cart({ price: 60, amount: 100, quantity: 2 }), cart({})],
  ],
  [
    'order.items.price_each',
    null,
    { $more_than: [50] },
    [cart({ price: 51 }, { price: 60 })],
    [cart({ price: 51 }, { price: 50 }), cart({ price: 51 }, {}), cart()],
  ],
  ['order.items.metadata_any', 'gift', { $is: [true] }, [cart({}, { metadata: { gift: true } })], [cart({}), cart()]],
  [
    'order.items.metadata_each',
    'gift',
    { $is: [true] },
    [cart({ metadata: { gift: true } })],
    [cart({ metadata: { gift: true } }, {}), cart()],
  ],
  ['order.items.any', null, { $is: ['prod_1'] }, [cart({}, { product_id: 'prod_1' })], [cart({}), cart()]],
  [
    'order.items.any',
    null,
    { $in: [{ id: 'pc_1', type: 'products_collection' }] },
    [cart({ collections: ['pc_1'] })],
    [cart({ collections: ['pc_2'] })],
  ],
  [
    'order.items.every',
    null,
    { $from: ['pc_1'] },
    [cart({ collections: ['pc_1'] })],
    [cart({ collections: ['pc_1'] }, {}), cart({ product_id: 'pc_1' }), cart()],
  ],
  [
    'order.items.none',
    null,
    { $in: ['sku_1', 'own'] },
    [cart({ sku_id: 'sku_2' }), cart(), {}],
    [cart({ sku_id: 'sku_1' }), cart({ source_id: 'own' })],
  ],
  [
    'order.items.cheapest',
    null,
    { $is: ['prod_1'] },
    [
      cart({ product_id: 'prod_2', price: 10 }, { product_id: 'prod_1', price: 9 }),
      cart({ product_id: 'prod_2', quantity: 2, amount: 18 }, { product_id: 'prod_1', price: 9, amount: 9 }),
      cart({ product_id: 'prod_2', price: 9, amount: 18 }, { product_id: 'prod_1', price: 17 }),
    ],
    [
      cart({ product_id: 'prod_1', price: 10 }, { product_id: 'prod_2', price: 9 }),
      cart({ product_id: 'prod_1' }),
      cart(),
    ],
  ],
  [
    'order.items.most_expensive',
    null,
    { $is: ['prod_1'] },
    [cart({ product_id: 'prod_2', price: 8 }, { product_id: 'prod_1', price: 9 })],
    [cart({ product_id: 'prod_1', price: 8 }, { product_id: 'prod_2', price: 9 })],
  ],
  [
    'order.items.cheapest',
    null,
    { $from: ['pc_1', 'pc_2'] },
    [cart({ price: 1 }, { price: 9, collections: ['pc_2'] })],
    [cart({ price: 1 }, { price: 9, collections: ['pc_3'] }), cart({ collections: ['pc_1'] }), cart()],
  ],
  [
    'order.items.cheapest',
    null,
    { $from: ['pc_1'], $is: ['prod_1'] },
    [
      cart({ product_id: 'prod_2', price: 1 }, { product_id: 'prod_1', price: 9, collections: ['pc_1'] }),
      cart(
        { product_id: 'prod_1', price: 8, collections: ['pc_1'] },
        { product_id: 'prod_2', price: 9, collections: ['pc_1'] },
      ),
    ],
    [
      cart({ product_id: 'prod_1', price: 1 }, { product_id: 'prod_2', price: 9, collections: ['pc_1'] }),
      cart(
        { product_id: 'prod_2', price: 8, collections: ['pc_1'] },
        { product_id: 'prod_1', price: 9, collections: ['pc_1'] },
      ),
      cart({ product_id: 'prod_1', price: 1 }),
    ],
  ],
  [
    'order.items.most_expensive',
    null,
    { $is_not: ['prod_1'], $from: ['pc_1'] },
    [
      cart({ product_id: 'prod_1', price: 99 }, { product_id: 'prod_2', price: 9, collections: ['pc_1'] }),
      cart(
        { product_id: 'prod_1', price: 8, collections: ['pc_1'] },
        { product_id: 'prod_2', price: 9, collections: ['pc_1'] },
      ),
    ],
    [
      cart(
        { product_id: 'prod_1', price: 10, collections: ['pc_1'] },
        { product_id: 'prod_2', price: 9, collections: ['pc_1'] },
      ),
    ],
  ],
  [
    'product.id',
    null,
    { $is: ['prod_1'] },
    [
      cart({}, { product_id: 'prod_1' }),
      cart({ product_id: 'prod_1', sku_id: 'sku_1' }),
      cart({ source_id: 'prod_1' }),
    ],
    [cart({ sku_id: 'x', source_id: 'prod_1' }), cart()],
  ],
  [
    'product.id',
    null,
    { $not_in: ['prod_1', 'prod_2'] },
    [cart({ product_id: 'prod_3' }), cart(), {}],
    [cart({ product_id: 'prod_3' }, { product_id: 'prod_2' })],
  ],
  ['product.discount_applicable', null, { $is: ['prod_1'] }, [cart({ product_id: 'prod_1' })], [cart({})]],
  ['product.price', null, { $less_than: [10] }, [cart({ price: 20 }, { price: 9 })], [cart({ price: 10 })]],
  [
    'product.price',
    'prod_1',
    { $less_than: [10] },
    [cart({ product_id: 'prod_1', price: 9 })],
    [cart({ product_id: 'prod_2', price: 9 }, { product_id: 'prod_1', price: 20 })],
  ],
  [
    'product.quantity',
    'prod_1',
    { $is: [3] },
    [cart({ product_id: 'prod_1', quantity: 1 }, { product_id: 'prod_1', quantity: 2 }, { quantity: 9 })],
    [cart({ quantity: 3 })],
  ],
  ['product.metadata', 'colour', { $is: ['red'] }, [cart(blue, red)], [cart(blue), cart({})]],
  ['product.metadata', 'colour', { $is_unknown: [] }, [cart({}), cart()], [cart({}, red)]],
  [
    'product.metadata',
    'colour',
    { $is: ['red'] },
    [cart({ ...blue, sku: { metadata: { colour: 'red' } } })],
    [cart({ ...red, sku: { metadata: { colour: 'blue' } } })],
  ],
  ['product.metadata.discount_applicable', 'colour', { $is: ['red'] }, [cart(red)], [cart(blue)]],
  ['product.metadata.match_all', 'colour', { $in: ['red', 'blue'] }, [cart(red, blue)], [cart(red, {}), cart()]],
  [
    'product.metadata.aggregated_quantity',
    'colour',
    { $is: [5] },
    [cart({ ...red, quantity: 2 }, { ...blue, quantity: 3 }, { quantity: 7 })],
    [cart({ quantity: 5 })],
  ],
  [
    'product.metadata.aggregated_amount',
    'colour',
    { $is: [50] },
    [cart({ ...red, amount: 20 }, { ...blue, price: 10, quantity: 3 }, { amount: 9 })],
    [cart({ amount: 50 })],
  ],
  [
    'sku.id',
    null,
    { $is: ['sku_1'] },
    [cart({ sku_id: 'sku_1' }), cart({ sku_id: 'x', source_id: 'sku_1' })],
    [cart({ product_id: 'sku_1' })],
  ],
  ['sku.discount_applicable', null, { $is: ['sku_1'] }, [cart({ sku_id: 'sku_1' })], [cart({})]],
  ['sku.price', 'sku_1', { $is: [5] }, [cart({ sku_id: 'sku_1', price: 5 })], [cart({ sku_id: 'sku_2', price: 5 })]],
  ['sku.quantity', 'sku_1', { $is: [2] }, [cart({ sku_id: 'sku_1', quantity: 2 })], [cart({ quantity: 2 })]],
  ...['product.id', 'product.discount_applicable', 'sku.id', 'sku.discount_applicable'].flatMap(ofCollections),
];

import { collection, createBody } from '#engine/catalogue/collections/resource.ts';
import { createCollection } from '#engine/catalogue/collections/save-collection.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/product-collections',
    scope: 'product-collections',
    summary: 'Create a product collection',
    note: 'A STATIC collection names its members. An AUTO_UPDATE collection finds them by a filter at each read.',
    answers: 'The collection.',
    body: createBody,
    reply: collection.reply,
    errors: ['not_found', 'too_many_resources'],
    example: {
      body: {
        type: 'STATIC',
        name: 'For the pot',
        products: [
          { object: 'product', id: 'prod_filter' },
          { object: 'sku', id: 'sku_beans_250', product_id: 'prod_beans' },
        ],
      },
    },
  },
  (call) => createCollection(call, call.body),
);

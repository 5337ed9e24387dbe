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
        type: 'AUTO_UPDATE',
        name: 'Below five euros',
        filter: { junction: 'AND', price: { conditions: { $less_than: [500] } } },
      },
    },
  },
  (call) => createCollection(call, call.body),
);

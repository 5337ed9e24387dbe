import { collectionActivitiesListed, listCollectionActivities } from '#engine/catalogue/collections/list-activities.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/product-collections/{productCollectionId}/activities',
    scope: 'product-collections',
    summary: "List a product collection's activities",
    note:
      'A collection has an activity for its creation, for each change of its name and of its filter, and for its ' +
      'deletion. A collection of a project file has none for its creation.',
    answers: 'A page of the activities.',
    query: collectionActivitiesListed.query,
    reply: collectionActivitiesListed.reply,
    errors: ['not_found'],
    example: { params: { productCollectionId: 'pc_pantry' } },
  },
  (call) => listCollectionActivities(call, call.params.productCollectionId, call.query),
);

import { stackList } from '#engine/campaigns/promotions/promotion-tier.ts';
import { listStacks, stacksQuery } from '#engine/campaigns/stacks/show-stacks.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/stacks',
    scope: 'promotions',
    summary: 'List the promotion stacks of the project',
    note: 'Returns the newest first unless `order` says otherwise.',
    query: stacksQuery,
    answers: 'A page of the stacks.',
    reply: stackList,
  },
  (call) => listStacks(call, call.query),
);

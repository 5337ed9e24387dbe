import * as v from 'valibot';
import { earningRule } from '#engine/loyalty/earning/public-rule.ts';
import { createEarningRules } from '#engine/loyalty/programmes/create-rules.ts';
import { createRulesBody } from '#engine/loyalty/programmes/rule-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/earning-rules',
    scope: 'loyalties',
    summary: 'Create earning rules',
    note:
      'Creates all of up to 20 rules, or none. A programme has at most 100 rules. `event` is `order.paid` or a ' +
      "custom event of the project's event schema. `customer.segment.entered` needs a `segment`. " +
      '`customer.loyalty.tier.joined`, `.left`, `.upgraded`, `.downgraded` and `.prolonged` need a ' +
      '`loyalty_tier`, which is `__ANY__` for all tiers.',
    body: createRulesBody,
    answers: 'The rules, in the order sent.',
    reply: v.array(earningRule),
    errors: ['not_found', 'event_not_defined', 'too_many_resources'],
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: [
        {
          event: 'order.paid',
          loyalty: {
            type: 'PROPORTIONAL',
            calculation_type: 'ORDER_AMOUNT',
            order: { amount: { every: 500, points: 2 } },
          },
          pending_points: { period_type: 'DAY', period_value: 14 },
          source: { banner: 'Two points for five euros' },
        },
        {
          event: 'customer.loyalty.tier.upgraded',
          loyalty_tier: { id: 'ltr_captain' },
          loyalty: { type: 'FIXED', points: 50 },
        },
      ],
    },
  },
  (call) => createEarningRules(call, call.params.campaignId, call.body),
);

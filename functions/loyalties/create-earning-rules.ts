import * as v from 'valibot';
import { operation } from '../../lib/http/operation.ts';
import { earningRule } from '../../lib/loyalty/earning/public-rule.ts';
import { createRules } from '../../lib/loyalty/programmes/create-rules.ts';
import { createRulesBody } from '../../lib/loyalty/programmes/rule-body.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/earning-rules',
    scope: 'loyalties',
    summary: 'Create earning rules',
    note:
      'All or none, up to 20; a programme has at most 100. `event` is `order.paid`, `customer.segment.entered` with a `segment`, ' +
      '`customer.loyalty.tier.joined`, `.left`, `.upgraded`, `.downgraded` or `.prolonged` with a `loyalty_tier` (`__ANY__` for all), ' +
      "or a custom event of the project's event schema.",
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
  (call) => createRules(call, call.params.campaignId, call.body),
);

import {
  promotionBody,
  promotionsQuery,
  promotionValidation,
  validatePromotions,
} from '#engine/checkout/validations/promotions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/validation',
    scope: 'promotions',
    validates: true,
    summary: 'Validate promotion tiers against a cart',
    note: 'Looks at the 150 newest available tiers, and returns the tiers that apply to the order, each judged alone.',
    query: promotionsQuery,
    body: promotionBody,
    answers: 'The tiers that apply. Tiers of the newest campaign are first.',
    reply: promotionValidation,
    errors: ['not_found', 'duplicate_found'],
    example: { body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } } },
  },
  (call) => validatePromotions(call, call.body, call.query),
);

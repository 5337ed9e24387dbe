import {
  promotionBody,
  promotionsQuery,
  promotionValidation,
  validatePromotions,
} from '../../lib/checkout/validations/promotions.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/promotions/validation',
    scope: 'promotions',
    validates: true,
    summary: 'Validate promotion tiers against a cart',
    note: 'Of the 150 newest tiers that are available those that apply, each by itself on the order.',
    query: promotionsQuery,
    body: promotionBody,
    answers: 'The tiers that apply, of the newest campaign first.',
    reply: promotionValidation,
    errors: ['not_found', 'duplicate_found'],
    example: { body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } } },
  },
  (call) => validatePromotions(call, call.body, call.query),
);

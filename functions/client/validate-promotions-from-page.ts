import { promotionsQuery, validatePromotionsFromPage } from '../../lib/checkout/browser/validate-promotions.ts';
import { promotionValidation } from '../../lib/checkout/validations/promotions.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /client/v1/promotions/validation',
    caller: 'client',
    scope: 'client_promotions',
    validates: true,
    summary: 'Validate promotion tiers against the cart of a page',
    note:
      'As `POST /v1/promotions/validation`: of the 150 newest tiers that are available, those that apply to the cart, each by itself. ' +
      'Nothing is locked.',
    query: promotionsQuery,
    answers: 'The tiers that apply, those of the newest campaign first.',
    reply: promotionValidation,
    table: 'write',
    errors: ['not_found', 'duplicate_found', 'ambiguous_tracking_id'],
    example: { query: 'item[0][product_id]=prod_beans&item[0][quantity]=2' },
  },
  (call) => validatePromotionsFromPage(call, call.query),
);

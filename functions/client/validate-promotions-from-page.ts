import { browserPromotionsQuery, validatePromotionsFromBrowser } from '#engine/checkout/browser/validate-promotions.ts';
import { promotionValidation } from '#engine/checkout/validations/promotions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /client/v1/promotions/validation',
    caller: 'client',
    scope: 'client_promotions',
    validates: true,
    summary: 'Validate promotion tiers against the cart of a browser',
    note:
      'Works like `POST /v1/promotions/validation`. It looks at the 150 newest available tiers and returns the ' +
      'tiers that apply to the cart, each judged alone. It locks nothing.',
    query: browserPromotionsQuery,
    answers: 'The tiers that apply. Tiers of the newest campaign are first.',
    reply: promotionValidation,
    table: 'write',
    errors: ['not_found', 'duplicate_found', 'ambiguous_tracking_id'],
    example: { query: 'item[0][product_id]=prod_beans&item[0][quantity]=2' },
  },
  (call) => validatePromotionsFromBrowser(call, call.query),
);

import {
  campaignExaminationQuery,
  examinationBody,
  examineCampaigns,
  examinedCampaigns,
} from '#engine/checkout/qualifications/examine.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/qualification',
    scope: 'campaigns',
    summary: 'Find campaigns for a cart',
    note:
      'Looks at the 50 newest campaigns of discount coupons, gift vouchers and referrals. Returns the campaigns ' +
      'with a code that would qualify. `POST /v1/qualifications` finds more.',
    query: campaignExaminationQuery,
    body: examinationBody,
    answers: 'The campaigns that qualify, each judged alone.',
    reply: examinedCampaigns,
    table: 'read',
    errors: ['not_found', 'duplicate_found'],
    example: { body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } } },
  },
  (call) => examineCampaigns(call, call.body, call.query),
);

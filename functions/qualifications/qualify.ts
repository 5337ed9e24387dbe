import { qualificationBody } from '../../lib/checkout/qualifications/body.ts';
import { qualification } from '../../lib/checkout/qualifications/qualification.ts';
import { qualify } from '../../lib/checkout/qualifications/qualify.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/qualifications',
    scope: 'qualifications',
    summary: 'Find what a customer could use on a cart',
    note:
      'Promotion tiers, standalone codes, campaigns and the codes that the customer holds, each by itself on the order. ' +
      'Limits that are counted, such as redemptions of a day, are not asked: a validation says whether they are reached.',
    body: qualificationBody,
    answers: 'A page of what qualifies, each with what it would do to the order.',
    reply: qualification,
    table: 'read',
    errors: ['not_found', 'duplicate_found'],
    example: {
      body: {
        customer: { source_id: 'ingrid' },
        order: { items: [{ product_id: 'prod_beans', quantity: 2 }] },
        options: { limit: 10, expand: ['redeemable', 'validation_rules'] },
      },
    },
  },
  (call) => qualify(call, call.body),
);

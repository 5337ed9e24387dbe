import { qualificationBody } from '#engine/checkout/qualifications/body.ts';
import { qualification } from '#engine/checkout/qualifications/qualification.ts';
import { qualify } from '#engine/checkout/qualifications/qualify.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/qualifications',
    scope: 'qualifications',
    summary: 'Find what a customer could use on a cart',
    note:
      "Finds promotion tiers, standalone codes, campaigns and the customer's own codes, each judged alone on the " +
      'order. Counted limits, such as redemptions in a day, are not checked. A validation checks them.',
    body: qualificationBody,
    answers: 'A page of the redeemables that qualify, each with its effect on the order.',
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

import { createTemplate, createTemplateBody } from '#addons/admin/templates/create-template.ts';
import { campaignTemplate } from '#addons/admin/templates/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/templates/campaigns',
    scope: 'templates',
    summary: 'Create a campaign template',
    note:
      'Copies a campaign of coupons or gift vouchers, or a promotion tier. The template keeps the type, settings, times, ' +
      'discount and metadata, and copies of the validation rules with their products, SKUs, collections and segments. ' +
      'It does not keep the name, the category, the number of codes and the access settings.',
    body: createTemplateBody,
    answers: 'The template.',
    reply: campaignTemplate.reply,
    errors: [
      'not_found',
      'duplicate_found',
      'campaign_type_is_not_supported_by_campaign_template',
      'too_many_resources',
    ],
    example: {
      body: { name: 'Two bags again', promotion_tier_id: 'promo_two_bags', description: 'For every harvest.' },
    },
  },
  (call) => createTemplate(call, call.body),
);

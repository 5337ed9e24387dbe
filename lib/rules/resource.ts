import { bareResource, required } from '../resource/resource.ts';
import { shortText } from '../schema.ts';

/** What campaigns, vouchers and promotion tiers may be assigned. */
export const validationRule = bareResource('validation_rule', {
  prefix: 'val',
  number: 'few',
  fields: { name: required(shortText, 'What operators call it.') },
  fileKey: 'validation_rules',
});

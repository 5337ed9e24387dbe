import { count, shortText } from '../core/schema.ts';
import { optional, required, resource } from '../kit/resource/resource.ts';
import type { Values } from '../kit/resource/shape.ts';
import { findDocumentFaults } from './check.ts';
import { applicableTo, bundleRules, contextType, customError, documentType, rules } from './document.ts';
import { ruleType } from './stored-rules.ts';

/** Describes validation rules. A deleted rule leaves its assignments (`lib/vouchers/assignments`). */
export const validationRule = resource(ruleType, {
  prefix: 'val',
  number: 'few',
  fields: {
    name: required(shortText, 'The name that operators see.'),
    rules: optional(
      rules,
      'The conditions of use: customers, carts and limits. Without rules, everybody can use the object.',
    ),
    bundle_rules: optional(bundleRules, 'Products that must be in the cart together.'),
    error: optional(customError, 'The message for a refusal, unless the failed rule has its own message.'),
    applicable_to: optional(applicableTo, 'The items that a discount is for. Without entries, it is for all lines.'),
    type: required(documentType, 'The editor that made the rule.', { leftOut: 'expression' }),
    context_type: required(contextType, 'The kind of object that the rule is for. Some rules fit only some kinds.', {
      leftOut: 'global',
    }),
  },
  orders: ['created_at', 'updated_at', 'name'],
  dated: true,
  empty: {
    rules: {},
    bundle_rules: {},
    applicable_to: null,
    updated_at: null,
  },
  fileKey: 'validation_rules',
  noted: 'validation_rule',
  family: 'terms',
  shows: { assignments_count: count },
  rules: (entry: Values) => findDocumentFaults(entry),
});

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
    name: required(shortText, 'What operators call it.'),
    rules: optional(rules, 'Who may use what, on which cart, how often; without rules, everybody.'),
    bundle_rules: optional(bundleRules, 'Products that must be in the cart together.'),
    error: optional(customError, 'What people are told where no rule has words of its own.'),
    applicable_to: optional(applicableTo, 'What a discount is for: every line without entries.'),
    type: required(documentType, 'Which editor made it.', { leftOut: 'expression' }),
    context_type: required(contextType, 'Where it is used: not every rule makes sense everywhere.', {
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

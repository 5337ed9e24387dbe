import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDocumentFaults } from '#engine/rules/check.ts';
import { compileRule } from '#engine/rules/compile.ts';
import type { RuleContext } from '#engine/rules/context.ts';
import { ruleNames } from '#engine/rules/names.ts';
import { readNeeds } from '#engine/rules/needs.ts';
import { filterOperators } from '#kernel/kit/filters/operators.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { optional } from '../../../support/arbitrary-carts.ts';

const odd = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.double(),
  fc.boolean(),
  fc.constant('2026-02-30'),
  fc.constant(null),
  // JSON objects may have fields whose names JavaScript uses to convert objects to text.
  fc.constantFrom({ toString: 1, valueOf: 1 }, { hasOwnProperty: 1 }, JSON.parse('{"__proto__":1}')),
);
const metadata = fc.dictionary(
  fc.constantFrom('a', 'b', 'a.b'),
  fc.oneof(odd, fc.array(odd), fc.jsonValue({ maxDepth: 2 })),
);
const money = optional(fc.nat());
const id = fc.constantFrom('prod_1', 'sku_1', 'pc_1', 'own', '');
const lines = fc.record({
  quantity: fc.nat(),
  price: money,
  amount: money,
  subtotal_amount: money,
  product_id: optional(id),
  sku_id: optional(id),
  source_id: optional(id),
  metadata: optional(metadata),
  product: optional(fc.record({ source_id: optional(id), metadata: optional(metadata) })),
  sku: optional(fc.record({ metadata: optional(metadata) })),
  collections: optional(fc.array(id)),
});
const contexts: fc.Arbitrary<RuleContext> = fc.record({
  now: fc.date({ noInvalidDate: true, min: new Date('1970-01-01'), max: new Date('9999-12-31') }),
  customer: optional(fc.record({ id: optional(id), metadata: optional(metadata), segments: optional(fc.array(id)) })),
  order: optional(
    fc.record({ amount: money, total_amount: money, items: fc.array(lines), metadata: optional(metadata) }),
  ),
  redeemable: optional(fc.record({ holder_id: optional(id) })),
  redemption: optional(
    fc.record({ metadata: optional(metadata), api_key: optional(id), points: money, gift_credits: money }),
  ),
  event: optional(fc.record({ metadata: optional(metadata) })),
});
const operand = fc.oneof(
  odd,
  fc.array(odd, { maxLength: 2 }),
  id,
  fc.constantFrom('2026-01-01;P7D;P1D', '2026-01-01;2027-01-01', '09:00;17:00;1', '3'),
);
const { rule } = fc.letrec<{ rule: object }>((tie) => ({
  rule: fc.record(
    {
      name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ruleNames.keys()) }, odd),
      property: fc.constantFrom('a', 'a.b', ''),
      conditions: fc.dictionary(
        fc.constantFrom(...Object.keys(filterOperators), '$from'),
        fc.array(operand, { maxLength: 3 }),
      ),
      rules: fc.option(fc.record({ a: tie('rule'), b: tie('rule'), logic: fc.constantFrom('a or b', 'a') }), {
        depthSize: 'small',
      }),
    },
    { requiredKeys: ['name'] },
  ),
}));

test('no rule throws, for any rule and any cart', () => {
  fc.assert(
    fc.property(rule, rule, contexts, (one, other, context) => {
      const document = { rules: { '1': one, '2': other, logic: '1 or 2' } };
      expect([...findDocumentFaults(document)]).toBeInstanceOf(Array);
      expect(readNeeds(document)).toBeInstanceOf(Object);
      const compiled = compileRule(document);
      expect(typeof compiled.judge(context).met).toBe('boolean');
      compiled.trace(context);
    }),
    { numRuns: 300, seed: 20_261_122 },
  );
});

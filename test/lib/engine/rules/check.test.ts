import { expect, test } from 'vitest';
import { findDocumentFaults } from '#engine/rules/check.ts';
import { contextTypes, maxRulesOfDocument, type RuleDocument } from '#engine/rules/shape.ts';

const amount = { name: 'order.amount', conditions: { $is: [1] } };
const faults = (document: object) => [...findDocumentFaults(document as RuleDocument)];
const ofRules = (rules: object) => faults({ rules });
const ofRule = (rule: unknown) => faults({ rules: { '1': rule } });
const nested = (levels: number): object => (levels === 0 ? amount : { ...amount, rules: { '1': nested(levels - 1) } });

test.each<[string, object, string[]]>([
  [
    'an unknown key in logic',
    { '1': amount, logic: '1 and 2' },
    ['rules.logic must name one of the rules or open a bracket at character 7'],
  ],
  [
    'an open bracket',
    { '1': amount, logic: '(1' },
    ['rules.logic must join rules by and, or, or close its bracket at character 3'],
  ],
  ['logic that is no text', { '1': amount, logic: 1 }, ['rules.logic must be a text']],
  [
    '10,000 rules',
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`r${index}`, amount])),
    [`rules must have at most ${maxRulesOfDocument} rules, those within rules included`],
  ],
  ['a fourth level', { '1': nested(3) }, ['rules.1.rules.1.rules.1.rules must be nested at most 3 levels deep']],
  ['rules in an array', [amount], ['rules must be an object of rules by their keys']],
  ['no rule', { '1': null }, ['rules.1 must be an object']],
  [
    'too many bytes',
    { '1': { ...amount, error: { message: 'x'.repeat(60_000) } } },
    ['rules must have at most 51200 bytes as JSON, bundle_rules included'],
  ],
  ['an empty key', { '': amount }, ['rules must not have an empty key']],
  ['half a character', { '1': { ...amount, property: '\ud800' } }, ['rules must be well-formed Unicode']],
])('%s is refused at its place', (_, rules, expected) => {
  expect(ofRules(rules)).toEqual(expected);
});

const namesOfOrders = /^rules\.1\.name is not a name of a rule; these exist: order\.amount, .*order\.items\.any/;

test.each<[string, unknown, unknown[]]>([
  ['no name', { conditions: {} }, ['rules.1.name is required']],
  ['an unknown name', { name: 'order.colour', conditions: {} }, [expect.stringMatching(namesOfOrders)]],
  [
    'a slip',
    { name: 'order.amuont', conditions: {} },
    ['rules.1.name is not a name of a rule: do you mean order.amount?'],
  ],
  ['a name that no text can be made of', { name: { toString: 1 } }, ['rules.1.name must be a text']],
  [
    'a name that every object has',
    { name: 'constructor', conditions: {} },
    [expect.stringContaining('names begin with customer, ')],
  ],
  ['no conditions', { name: 'order.amount' }, ['rules.1.conditions must have at least one operator']],
  [
    'empty conditions',
    { name: 'order.amount', conditions: {} },
    ['rules.1.conditions must have at least one operator'],
  ],
  [
    'conditions in an array',
    { name: 'order.amount', conditions: [1] },
    ['rules.1.conditions must be an object of operators and their values'],
  ],
  ['a missing property', { name: 'customer.metadata', conditions: { $is: ['a'] } }, ['rules.1.property is required']],
  [
    'a property that is not a text',
    { name: 'customer.metadata', property: 5, conditions: { $is: ['a'] } },
    ['rules.1.property must be a text of at most 300 characters'],
  ],
  [
    'an operator without a value',
    { name: 'order.amount', conditions: { $is: [] } },
    ['rules.1.conditions.$is must have at least one value'],
  ],
  [
    'a value outside of an array',
    { name: 'order.amount', conditions: { $is: 5 } },
    ['rules.1.conditions.$is must be an array of values'],
  ],
  [
    'a value of the wrong type',
    { name: 'order.amount', conditions: { $more_than: ['much'], $is: [{}] } },
    ['rules.1.conditions.$more_than must be a number', 'rules.1.conditions.$is must be a number'],
  ],
  [
    'an invalid product',
    { name: 'product.id', conditions: { $is: [5] } },
    ['rules.1.conditions.$is must be ids of products, SKUs or collections, or objects that have them'],
  ],
  [
    'an invalid date',
    { name: 'order.metadata', property: 'x', conditions: { $after: ['2026-02-30'] } },
    ['rules.1.conditions.$after must be a date or a date and time, such as 2026-01-31'],
  ],
  [
    'invalid times',
    {
      name: 'order.metadata',
      property: 'x',
      conditions: {
        $timeframe: ['P1D'],
        $timeframe_absolute: ['2026-02-01;2026-01-01'],
        $timeframe_daily_hours: ['9:00;17:00'],
        $dow: [7],
      },
    },
    [
      'rules.1.conditions.$timeframe must be a start, an interval and a duration, such as 2026-01-01T00:00:00Z;P7D;P1D',
      'rules.1.conditions.$timeframe_absolute must be two dates and times in their order, such as 2026-01-01;2026-02-01',
      'rules.1.conditions.$timeframe_daily_hours must be two times and days, such as 09:00;17:00;1,2',
      'rules.1.conditions.$dow must be a day of the week, 0 (Sunday) to 6',
    ],
  ],
  ['an error without words', { ...amount, error: {} }, ['rules.1.error.message must be a text']],
  [
    'a name that is allowed within items only',
    { name: 'order.items.quantity', conditions: { $is: [1] } },
    ['rules.1.name must be inside of a rule about items of the order, such as order.items.any'],
  ],
  [
    'a name that items do not have',
    { name: 'order.items.any', rules: { '1': amount } },
    ['rules.1.rules.1.name makes no sense inside of a rule about items of the order'],
  ],
])('a rule with %s is refused at its place', (_, rule, expected) => {
  expect(ofRule(rule)).toEqual(expected);
});

test('an unknown operator is refused with the list of existing ones', () => {
  expect(ofRule({ name: 'order.amount', conditions: { $contains: ['1'], __proto__x: [1] } })).toEqual([
    expect.stringMatching(
      /^rules\.1\.conditions\.\$contains is not an operator of this rule: \$is, .*\$not_intersect$/,
    ),
    expect.stringMatching(/^rules\.1\.conditions\.__proto__x is not an operator of this rule: /),
  ]);
});

test('every fault is reported at once', () => {
  const rules = { a: { name: 'order.colour' }, b: { name: 'order.amount', conditions: { $is: ['x'] } }, logic: 'c' };
  expect(faults({ rules, bundle_rules: { limit: 0 }, error: 'no' })).toEqual([
    expect.stringContaining('rules.a.name is not a name of a rule; these exist: '),
    'rules.b.conditions.$is must be a number',
    'rules.logic must name one of the rules or open a bracket at character 1',
    'bundle_rules.limit must be an integer from 1 to 100',
    'bundle_rules must have at least one rule',
    'error must be an object',
  ]);
});

test('regular expression signs are ordinary signs', () => {
  expect(ofRule({ name: 'order.metadata', property: 'x', conditions: { $contains: ['(.*)+$ [^'] } })).toEqual([]);
});

test.each<[string, string, boolean]>([
  ['earning_rule.custom_event', 'custom_event.metadata', true],
  ['earning_rule.custom_event', 'order.amount', false],
  ['earning_rule.order.paid', 'order.amount', true],
  ['earning_rule.order.paid', 'redemption.count.daily', false],
  ['earning_rule.customer.tier.joined', 'customer.segment', true],
  ['earning_rule.customer.tier.joined', 'customer_segment', true],
  ['earning_rule.customer.tier.joined', 'product.id', false],
  ['distribution.order.paid', 'campaign.redemptions.count', false],
  ['campaign.promotion', 'publication.redeemable_by_linked_customer', false],
  ['voucher.gift_voucher.gift.apply_to_items', 'redemption.gift.amount', true],
  ['voucher.discount_voucher', 'redemption.gift.amount', false],
  ['reward_assignment.pay_with_points', 'redemption.reward.pay_with_points.points_used', true],
  ['voucher.discount_voucher.discount.apply_to_order', 'custom_event.metadata', false],
  ['global', 'custom_event.metadata', true],
])('in the context %s, a rule about %s makes sense: %s', (context_type, name, makesSense) => {
  const conditions = { $is: name.endsWith('customer') ? [true] : [1] };
  const rule = { name, property: 'x', conditions: name === 'product.id' ? { $is: ['prod_1'] } : conditions };
  const fault = `rules.1.name makes no sense in the context ${context_type}`;
  expect(faults({ rules: { '1': rule }, context_type })).toEqual(makesSense ? [] : [fault]);
});

test('the contexts are campaigns, vouchers, rewards, distributions and earning rules', () => {
  expect(contextTypes).toHaveLength(55);
  expect(new Set(contextTypes.map((name) => name.split('.')[0]))).toEqual(
    new Set(['global', 'campaign', 'voucher', 'reward_assignment', 'distribution', 'earning_rule']),
  );
});

test.each<[string, unknown, string, string[]]>([
  [
    'without products',
    { '1': { name: 'order.items.any' } },
    'global',
    [
      'bundle_rules.1.conditions.$is is required',
      'bundle_rules.1.rules must have order.items.aggregated_quantity with $is and a number of units, 1 or more',
    ],
  ],
  [
    'of another name',
    {
      '1': {
        name: 'order.amount',
        conditions: { $is: ['a'] },
        rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [1] } } },
      },
    },
    'global',
    ['bundle_rules.1.name must be order.items.any'],
  ],
  ['that are not an object', [], 'global', ['bundle_rules must be an object']],
  [
    'in a context without them',
    { '1': {} },
    'voucher.gift_voucher',
    ['bundle_rules makes no sense in the context voucher.gift_voucher'],
  ],
])('bundles %s are refused', (_, bundle_rules, context_type, expected) => {
  expect(faults({ bundle_rules, context_type })).toEqual(expected);
});

import { beforeAll, expect, test } from 'vitest';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { observed, type SentCommand } from '../support/commands.ts';
import { newClient, testDependencies } from '../support/dependencies.ts';
import { couponCampaign, earningRule } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { loadProject, type TestProject } from '../support/project.ts';

/**
 * Counts the reads of each item that all calls read, for any caller and voucher. DynamoDB reads an item 3,000 times a second. An item that
 * every second call reads limits a project to 6,000 calls.
 */

const calls = 16;
const warmUp = 3;
const mostEach = 0.5;
const all = Array.from({ length: calls + warmUp }, (_, index) => index);

const discount = { type: 'PERCENT', percent_off: 3, effect: 'APPLY_TO_ORDER' };
const rules = {
  1: { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [100] } },
  2: { name: 'customer.segment', conditions: { $is_not: ['seg_far'] } },
};
const rule = (event: string, loyalty: object) =>
  earningRule(`ern_${event}`, event, loyalty, { validation_rule_id: 'val_few' });

let project: TestProject;

beforeAll(async () => {
  project = await loadProject({
    categories: [{ id: 'cat_1', name: 'One' }],
    event_schema: [{ name: 'visit', metadata: {} }],
    segments: [
      {
        id: 'seg_far',
        name: 'Far',
        type: 'passive',
        filter: { junction: 'AND', name: { conditions: { $is: ['x'] } } },
      },
    ],
    customers: all.map((index) => ({ id: `cust_${index}`, source_id: `crm-${index}` })),
    campaigns: [couponCampaign('camp_sale', 'Sale', discount, { category_id: 'cat_1' }), programme('camp_club')],
    validation_rules: [{ id: 'val_few', name: 'Few', rules: { ...rules, logic: '1 and 2' } }],
    validation_rules_assignments: [
      { id: 'asgm_few', rule_id: 'val_few', related_object_type: 'campaign', related_object_id: 'camp_sale' },
    ],
    vouchers: all.flatMap((index) => [
      { code: `SALE-${index}`, type: 'DISCOUNT_VOUCHER', active: true, campaign_id: 'camp_sale' },
      card(`CARD-${index}`, 100, { holder_id: `cust_${index}` }),
    ]),
    loyalty_tiers: [
      { id: 'ltr_1', name: 'Tier', campaign_id: 'camp_club', points: { from: 0 }, earning_rules: {}, rewards: {} },
    ],
    earning_rules: [
      rule('order.paid', {
        type: 'PROPORTIONAL',
        calculation_type: 'ORDER_TOTAL_AMOUNT',
        order: { total_amount: { every: 100, points: 1 } },
      }),
      rule('visit', { type: 'FIXED', points: 3 }),
    ],
  });
});

/** Returns the items that a command reads, or the partition of a query. */
function keysRead({ name, input }: SentCommand): string[] {
  const {
    Key,
    RequestItems = {},
    ExpressionAttributeValues: values,
  } = input as {
    Key?: object;
    RequestItems?: Record<string, { Keys?: object[] }>;
    ExpressionAttributeValues?: object;
  };
  const textOf = (key: object) => Object.values(key).join(' ');
  if (name === 'QueryCommand') return [textOf(values ?? {})];
  return name === 'GetCommand' || name === 'BatchGetCommand'
    ? [...(Key ? [Key] : []), ...Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys)].map(textOf)
    : [];
}

const sale = (index: number) => ({ redeemables: [{ object: 'voucher', id: `SALE-${index}` }] });
const order = (index: number) => ({ items: [{ source_id: `tea-${index}`, quantity: 1, price: 500 }] });
const customer = (index: number) => ({ id: `cust_${index}` });

interface Row {
  readonly what: string;
  readonly handler: Parameters<typeof caller>[0];
  readonly body: (index: number) => object;
  /** Queries whose data does not change during a sale: standalone codes and rewards. */
  readonly except?: RegExp;
}

const rows: Row[] = [
  {
    what: 'a validation',
    handler: validate,
    body: (index) => ({ ...sale(index), customer: customer(index), order: order(index) }),
  },
  {
    what: 'a redemption by a member, who earns by it',
    handler: redeem,
    body: (index) => ({ ...sale(index), customer: customer(index), order: order(index) }),
  },
  {
    what: 'a redemption by somebody new',
    handler: redeem,
    body: (index) => ({
      redeemables: [{ object: 'voucher', id: `SALE-${calls + warmUp - 1 - index}` }],
      customer: { source_id: `new-${index}` },
      order: order(index),
    }),
  },
  {
    what: 'an event by which a member earns',
    handler: sendEvent,
    body: (index) => ({ event: 'visit', customer: customer(index) }),
  },
  {
    what: 'a qualification',
    handler: qualify,
    body: (index) => ({ customer: customer(index), order: order(index) }),
    except: /STANDALONE_VOUCHERS|#REWARDS /,
  },
];

test.each(rows)('$what reads each shared item in at most every second call', async ({ handler, body, except }) => {
  const read = new Map<string, number>();
  const see = { isOn: false };
  const dynamodb = observed(newClient(), {
    after: (command) => {
      if (see.isOn) for (const key of keysRead(command)) read.set(key, (read.get(key) ?? 0) + 1);
    },
  });
  const call = caller(handler, testDependencies({ dynamodb }));
  for (const index of all) {
    see.isOn = index >= warmUp;
    const reply = await call({ headers: project.credentials, body: body(index) });
    expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  }
  const often = [...read].filter(([key, times]) => times > calls * mostEach && !except?.test(key));
  expect(often.map(([key]) => key.replaceAll(project.id, 'project'))).toEqual([]);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { lists } from '#addons/admin/project-file/lists.ts';
import { handler as publishHandler } from '../../../../../functions/publications/create-publication.ts';
import { handler as redeemHandler } from '../../../../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../../../../functions/redemptions/rollback-redemption.ts';
import { findOperation, type Operation, operations } from '../../../../../infra/operations.ts';
import type { Request } from '../../../../support/api-event.ts';
import { caller } from '../../../../support/call.ts';
import { loadDemo } from '../../../../support/demo.ts';
import { testDependencies } from '../../../../support/dependencies.ts';
import { type Entry, exported, type ProjectFile } from '../../../../support/exported.ts';
import { requestsTo } from '../../../../support/one-of-each.ts';
import { faultsOf, type TestProject } from '../../../../support/project.ts';

/** Each list of project files with the operations that show its entries. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  activities: ['list-customer-activities', 'list-customer-activity'],
  brands: ['list-brands', 'get-brand'],
  campaign_templates: ['get-campaign-template'],
  campaigns: ['list-campaigns', 'get-campaign', 'list-loyalty-campaigns', 'get-loyalty-campaign'],
  categories: ['list-categories', 'get-category'],
  customers: ['list-customers', 'get-customer'],
  earning_rules: ['list-earning-rules', 'get-earning-rule'],
  event_schema: ['list-event-schemas', 'get-event-schema'],
  locations: ['list-locations', 'get-location'],
  loyalty_tiers: ['list-loyalty-tiers', 'get-loyalty-tier', 'list-member-tiers'],
  metadata_schemas: [
    ...['list-metadata-schemas', 'get-metadata-schema'],
    ...['list-project-metadata-schemas', 'get-project-metadata-schema'],
  ],
  orders: ['list-orders', 'get-order'],
  pending_points: ['list-campaign-pending-points', 'list-member-pending-points', 'list-campaign-member-pending-points'],
  product_collections: ['list-product-collections', 'get-product-collection'],
  products: ['list-products', 'get-product', 'list-collection-products'],
  promotion_stacks: ['list-promotion-stacks', 'list-campaign-promotion-stacks', 'get-promotion-stack'],
  promotion_tiers: ['list-promotion-tiers', 'list-campaign-promotion-tiers', 'get-promotion-tier'],
  publications: ['list-publications', 'list-voucher-publications'],
  redemptions: ['list-redemptions', 'get-redemption', 'list-voucher-redemptions'],
  referral_holders: ['list-holders', 'list-campaign-holders'],
  reward_assignments: [
    ...['list-reward-assignments', 'get-reward-assignment', 'list-assignments-of-reward', 'get-assignment-of-reward'],
    ...['list-rewards', 'get-programme-reward'],
  ],
  rewards: ['list-project-rewards', 'get-reward', 'get-assigned-reward'],
  segments: ['list-segments', 'get-segment'],
  returns: ['list-returns', 'get-return'],
  skus: ['list-skus', 'get-sku'],
  stacking_rules: ['list-stacking-rules', 'get-stacking-rules'],
  users: ['list-users', 'get-user'],
  validation_rules: ['list-validation-rules', 'get-validation-rule'],
  validation_rules_assignments: ['list-validation-rules-assignments', 'list-validation-rule-assignments'],
  vouchers: ['list-vouchers', 'get-voucher', 'list-members', 'get-member', 'get-campaign-member'],
  webhooks: ['list-webhooks', 'get-webhook'],
};

/** Lists that no reply shows whole: tokens are shown once, and roles never. */
const unshown = ['app_keys', 'client_keys', 'management_keys', 'roles'];

/** Operations that read, and whose replies are not whole entries of a project file. */
const others: readonly string[] = [
  // Files, jobs, books and sums.
  ...['get-barcode-asset', 'get-qr-asset', 'get-async-action', 'list-async-actions', 'get-export', 'list-exports'],
  ...['get-campaign-summary', 'list-campaign-transactions', 'list-programme-transactions', 'list-member-transactions'],
  ...['list-campaign-member-transactions', 'list-voucher-transactions', 'list-points-expiration', 'list-reports'],
  ...['get-close', 'list-closes', 'list-liability-estimates', 'get-voucher-redemptions'],
  // Settings and secrets of the project, and the log of webhooks.
  ...['get-project', 'list-projects', 'list-project-keys', 'get-webhook-secret'],
  ...['get-webhook-delivery', 'list-webhook-deliveries', 'list-trash-bin'],
  // Answers to a question, and pages.
  ...['list-customer-redeemables', 'list-member-rewards', 'list-client-promotion-tiers', 'list-vouchers-for-page'],
  ...['validate-promotions-from-page', 'validate-voucher-from-page', 'create-publication-by-query'],
  // Rules and rewards with the points of one tier, and segments and templates by their name alone.
  ...['list-loyalty-tier-earning-rules', 'list-loyalty-tier-rewards', 'list-customer-segments'],
  ...['list-campaign-templates', 'list-project-templates'],
  // Activities of a ledger. The entry of the ledger is the activity. A segment shows activities of its customers.
  ...['list-member-activity', 'list-campaign-member-activity', 'list-segment-activities'],
  // Activities of a collection itself, which no project file brings.
  'list-collection-activities',
];

/** Names entries as their lists do. */
const namesOf = (list: string, entry: Entry): unknown[] =>
  (lists.get(list)?.names ?? []).map((field) => entry[field]).filter((name) => name !== undefined && name !== null);

/** Lists of another kind that accompany entries of the list, by their `object`. */
const objectOf: Readonly<Record<string, string>> = { products: 'product' };

function entriesOf(list: string, reply: Entry): Entry[] {
  const listed = reply[String(reply.data_ref)];
  const all: Entry[] = Array.isArray(listed) ? listed : [reply];
  // A reply does not show the customers of a static segment, and a file needs them.
  return all.filter(({ object, type }) => {
    return (objectOf[list] === undefined || object === objectOf[list]) && !(list === 'segments' && type === 'static');
  });
}

/** Parameters with which an operation shows more than its example. */
const more: Readonly<Record<string, Partial<Request>>> = {
  'get-campaign-template': { query: 'expand=json_template' },
  'list-voucher-redemptions': { params: { code: 'TIN-LANTERN' } },
};

describe('replies of the API can be pasted into a project file:', () => {
  let demo: TestProject;
  let before: ProjectFile;
  let requestTo: Awaited<ReturnType<typeof requestsTo>>;

  const askedFor = (operation: Operation) => {
    const { query } = operation.route;
    const isPaged = query !== undefined && 'entries' in query && 'limit' in Object(query.entries);
    return { ...requestTo(operation), ...(isPaged ? { query: 'limit=100' } : {}), ...more[operation.name] };
  };

  beforeAll(async () => {
    demo = await loadDemo();
    const headers = demo.credentials;
    requestTo = await requestsTo(demo, testDependencies());
    const redeem = async (...redeemables: object[]) => {
      const body = { redeemables, customer: { id: 'cust_oluf' }, order: { amount: 20_000 }, metadata: {} };
      const redeemed = await caller(redeemHandler)({ headers, body });
      expect(redeemed.body).toMatchObject({ redemptions: expect.anything() });
      return redeemed.body.redemptions[0].id;
    };
    await redeem({ object: 'voucher', id: 'TIN-WINDOW', gift: { credits: 100 } });
    const id = await redeem({ object: 'voucher', id: 'TIN-LANTERN', gift: { credits: 100 } });
    expect((await caller(rollBackHandler)({ headers, params: { redemptionId: id }, body: {} })).status).toBe(200);
    const body = { customer: { id: 'cust_oluf' }, voucher: 'TIDE-HELLO', source_id: 'published' };
    expect((await caller(publishHandler)({ headers, body })).status).toBe(200);
    before = await exported(demo.id);
  });

  test('each list has an operation, and each operation that reads has a list, or both are named here', () => {
    expect([...Object.keys(shownBy), ...unshown].sort()).toEqual([...lists.keys()].sort());
    const reading = operations.filter(({ route }) => route.method === 'GET').map(({ name }) => name);
    expect([...Object.values(shownBy).flat(), ...others].sort()).toEqual(reading.sort());
  });

  test.each(Object.entries(shownBy).flatMap(([list, names]) => names.map((name) => [list, name] as const)))(
    '%s of %s, whatever read-only fields they have, and change nothing',
    async (list, name) => {
      const operation = findOperation(name);
      const show = () => caller(operation.handler)(askedFor(operation));
      const { status, body } = await show();
      const entries = entriesOf(list, body);
      expect([status, entries.length > 0]).toEqual([200, true]);
      const names = new Set(entries.flatMap((entry) => namesOf(list, entry)));
      const rest = (before[list] ?? []).filter((entry: Entry) => !namesOf(list, entry).some((one) => names.has(one)));
      const pasted = { ...before, [list]: [...rest, ...entries.map((entry) => ({ ...entry, readonly: true }))] };
      expect(await faultsOf(pasted)).toEqual([]);
      expect((await show()).body).toEqual(body);
    },
  );
});

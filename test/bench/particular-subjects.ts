import { sealAssetId } from '#engine/vouchers/asset-id.ts';
import { findOperation } from '../../infra/operations.ts';
import { isLong } from './benchmark.ts';
import { mostEntries, offer, purse, ripening, sleeper, ticket, upTo } from './project.ts';
import type { Subject, World } from './subjects.ts';

const ends = (what: string): Subject['request'] => {
  return (turn) => ({ params: { memberId: 'CREW-INGRID', pendingPointsId: ripening(what, turn) } });
};

/** Repeats an example with another code at each turn. */
const byCode = (name: string, make: (turn: number) => Record<string, string>): Subject['request'] => {
  const { example } = findOperation(name).route;
  return (turn) => ({ ...example, params: { ...example.params, ...make(turn) } });
};

const transfer = (entries: number): Subject => ({
  way: entries === 1 ? '1 entry' : `${entries} entries`,
  maxRatio: 1.5,
  request: (turn) => ({
    params: { campaignId: 'camp_crew', memberId: 'TILL' },
    body: upTo(entries, (index) => ({ code: purse(index), points: 1, source_id: `tx-${entries}-${turn}` })),
  }),
});

/** Redeems one's own coupon, by a member who earns points with the order. */
const oneCoupon = (turn: number) => ({
  redeemables: [{ object: 'voucher', id: ticket(turn) }],
  customer: { id: 'cust_ingrid' },
  order: {
    source_id: `receipt-${turn}`,
    items: [{ product_id: 'prod_beans', quantity: 2 }, { product_id: 'prod_filter' }],
  },
});

/** Returns the body of an operation's example. */
const exampleOf = (name: string) => findOperation(name).route.example.body;

/** Applies a tier to a new order each time, because an order keeps what was redeemed on it. */
const twoBags = (turn: number) => ({
  redeemables: [{ object: 'promotion_tier', id: 'promo_two_bags' }],
  customer: { source_id: 'ingrid' },
  order: { source_id: `bags-${turn}`, items: [{ product_id: 'prod_beans', quantity: 2 }] },
});

/** A full cart at a till with many offers. */
const fullCart = {
  redeemables: upTo(5, (index) => ({ object: 'voucher', id: offer(index) })),
  customer: { source_id: 'ingrid' },
  order: {
    items: upTo(30, (index) => ({ source_id: `line-${index}`, quantity: 1 + (index % 3), price: 500 + index })),
  },
};

const withToken = (turn: number, { tokens }: World) => ({ body: { access_token: tokens[turn] ?? '' } });

/**
 * Subjects that need more than the example once without a limit: turns that use something up, further ways, and limits. The project has set
 * these limits itself. A figure without a limit is only shown.
 */
export const particular: Readonly<Record<string, readonly Partial<Subject>[]>> = {
  'introspect-token': [{ request: (_, world) => withToken(0, world) }],
  'revoke-token': [{ request: withToken }],
  'get-voucher': [
    { request: () => ({ params: { code: 'TIDE-HELLO' } }), maxRatio: 1.35 },
    { way: 'loyalty card', maxRatio: 1.35 },
    { way: 'unknown code', request: () => ({ params: { code: 'NOPE' } }), status: 404 },
  ],
  // The turns of other operations give the tier of the example more rules than a template has.
  'create-campaign-template': [
    { request: (turn) => ({ body: { name: `Crate ${turn}`, promotion_tier_id: 'promo_crate' } }) },
  ],
  // A project has one document of stacking rules, which stays for the other turns.
  'create-stacking-rules': [{ way: 'already there', status: 409 }],
  'delete-stacking-rules': [
    {
      way: 'unknown',
      request: () => ({ params: { projectId: 'proj_demo', stackingRulesId: 'stk_nobody' } }),
      status: 404,
    },
  ],
  // The stack's tiers belong to one campaign. A copy of the stack does not have it.
  'delete-promotion-stack': [
    { way: 'unknown', request: () => ({ params: { campaignId: 'camp_beans', stackId: 'stack_nobody' } }), status: 404 },
  ],
  // In a long run the project has the most collections that are allowed, for the turns that delete them.
  'create-product-collection': [isLong ? { way: 'one too many', status: 400 } : {}],
  // A project has one brand. A bin entry gets an id that cannot be known before.
  'create-brand': [{ way: 'already there', status: 409 }],
  // The projects and the keys of the example stay for the other turns.
  'create-project': [
    { request: (turn) => ({ body: { ...Object(exampleOf('create-project')), name: `Quay ${turn}` } }) },
  ],
  'delete-project': [{ way: 'unknown', request: () => ({ params: { projectId: 'proj_nobody' } }), status: 404 }],
  'rotate-project-key': [
    {
      way: 'unknown',
      request: () => ({ params: { projectId: 'proj_demo', keyId: 'app_nobody' }, body: {} }),
      status: 404,
    },
  ],
  'delete-brand': [
    { way: 'unknown', request: () => ({ params: { projectId: 'proj_demo', brandingId: 'brd_nobody' } }), status: 404 },
  ],
  'delete-event-schema': [
    { way: 'unknown', request: () => ({ params: { projectId: 'proj_demo', schemaId: 'ms_nobody' } }), status: 404 },
  ],
  // The bench has one project, and no user of another project.
  'add-user': [
    {
      way: 'already there',
      request: () => ({
        params: { projectId: 'proj_demo' },
        body: { login: 'tomas@harbourcoffee.example', role: 'USER' },
      }),
      status: 409,
    },
  ],
  'remove-user': [{ way: 'only project', status: 400 }],
  'create-metadata-schema': [
    {
      way: 'already there',
      request: () => ({ params: { projectId: 'proj_demo' }, body: { related_object: 'product', properties: {} } }),
      status: 409,
    },
  ],
  'delete-metadata-schema': [
    {
      way: 'unknown',
      request: () => ({ params: { projectId: 'proj_demo', metadataSchemaId: 'ms_nobody' } }),
      status: 404,
    },
  ],
  // A project has few schemas, so turns cannot each have their own.
  'create-own-metadata-schema': [
    {
      way: 'already there',
      request: () => ({ body: { related_object: 'product', properties: {} } }),
      status: 409,
    },
  ],
  'delete-own-metadata-schema': [
    { way: 'unknown', request: () => ({ params: { resource: 'ms_nobody' } }), status: 404 },
  ],
  // The bench has no engine of reports.
  'make-report': [
    { way: 'disabled', request: () => ({ params: { reportName: 'redemptions' }, body: {} }), status: 403 },
  ],
  // The close of the first turn is not done, so the next turn could not begin its close.
  'create-close': [{ way: 'unknown', request: () => ({ body: { campaign_id: 'camp_nobody' } }), status: 404 }],
  'delete-trash-bin-entry': [
    { way: 'unknown', request: () => ({ params: { binEntryId: 'tbe_nobody' } }), status: 404 },
  ],
  'create-webhook': [
    {
      request: () => ({
        params: { projectId: 'proj_demo' },
        body: { target_url: 'https://till.harbourcoffee.example/hooks', events: ['customer.created'] },
      }),
      way: 'known target',
      status: 409,
    },
  ],
  'delete-webhook': [
    { way: 'unknown', request: () => ({ params: { projectId: 'proj_demo', webhookId: 'wh_nobody' } }), status: 404 },
  ],
  'get-webhook-delivery': [{ way: 'unknown delivery', status: 404 }],
  'replay-webhook-delivery': [{ way: 'unknown delivery', status: 404 }],
  'add-voucher-with-code': [{ request: byCode('add-voucher-with-code', (turn) => ({ code: `EARLY-${turn}` })) }],
  'create-voucher-with-code': [{ request: byCode('create-voucher-with-code', (turn) => ({ code: `TIN-${turn}` })) }],
  // The example's member has points for some turns only.
  'redeem-member-reward': [{ request: byCode('redeem-member-reward', () => ({ memberId: purse(0) })) }],
  'redeem-campaign-member-reward': [
    { request: byCode('redeem-campaign-member-reward', () => ({ memberId: purse(0) })) },
  ],
  'redeem-voucher': [{ request: byCode('redeem-voucher', () => ({ code: offer(0) })) }],
  'rollback-redemption': [
    { request: byCode('rollback-redemption', (turn) => ({ redemptionId: `r_of_the_example-${turn}` })) },
  ],
  'rollback-redemptions': [
    { request: byCode('rollback-redemptions', (turn) => ({ redemptionId: `r_of_several-${turn}` })) },
  ],
  'get-redemption': [{ request: byCode('get-redemption', () => ({ redemptionId: 'r_one_of_several-0' })) }],
  'get-async-action': [{ way: 'unknown action', status: 404 }],
  'end-voucher-session': [
    { way: 'unknown session', request: () => ({ params: { code: 'TIDE-HELLO', sessionKey: 'ssn_no' } }), status: 404 },
  ],
  'enable-voucher': [{ request: (turn) => ({ params: { code: sleeper(turn) } }), maxRatio: 1.5 }],
  'transfer-points': [transfer(1), transfer(mostEntries)],
  'adjust-pending-points': [
    {
      request: (turn) => ({
        params: { memberId: 'CREW-OLUF', pendingPointsId: 'lopp_tasting' },
        body: { points: turn % 2 ? -10 : 10 },
      }),
      maxRatio: 1.5,
    },
  ],
  'activate-pending-points': [{ request: ends('activated'), maxRatio: 1.5 }],
  'cancel-pending-points': [{ request: ends('cancelled'), maxRatio: 1.5 }],
  'validate-redeemables': [
    {},
    // Takes more time than other subjects, because its one call is short and the rest is calculation, which no wait for
    // the table hides.
    { way: '5 on 30 lines', request: () => ({ body: fullCart }), maxRatio: 1.7, maxTrips: 2, maxCpuRatio: 2.5 },
  ],
  'redeem-redeemables': [
    { request: (turn) => ({ body: twoBags(turn) }) },
    { way: '1 coupon', request: (turn) => ({ body: oneCoupon(turn) }), maxRatio: 1.5, maxTrips: 3 },
    { way: '5 on 30 lines', request: () => ({ body: fullCart }), maxRatio: 1.5, maxTrips: 4 },
  ],
  'update-campaign': [
    { request: (turn) => ({ params: { campaignId: 'Early tide' }, body: { metadata: { channel: `web ${turn}` } } }) },
  ],
  'update-promotion-tier': [
    {
      request: (turn) => ({
        params: { promotionTierId: 'promo_two_bags' },
        body: { banner: `Two bags: ${turn}`, action: { discount: { type: 'PERCENT', percent_off: 6 } } },
      }),
      maxRatio: 1.5,
    },
  ],
  'get-qr-asset': [{ request: (_, { project }) => ({ params: { id: sealAssetId(project, 'qr', 'TIDE-HELLO') } }) }],
  'get-barcode-asset': [
    { request: (_, { project }) => ({ params: { id: sealAssetId(project, 'barcode', 'TIDE-HELLO') } }) },
  ],
};

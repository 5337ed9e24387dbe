import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Operation, operationNamed, operations } from '../../infra/operations.ts';
import type { Project } from '../../lib/projects/project.ts';
import { assetId } from '../../lib/vouchers/asset-id.ts';
import { apiEvent, type Request } from '../support/api-event.ts';
import { isLong } from './benchmark.ts';
import {
  copied,
  mostEntries,
  offer,
  pageCredentials,
  projectFor,
  purse,
  ripening,
  sleeper,
  ticket,
  upTo,
} from './project.ts';

/** What is measured of each endpoint. Whatever may be done once only is another one at each turn. */

/** What the requests are about. */
export interface World {
  project: Project;
  /** Bearer tokens that are in time, one a turn. */
  tokens: readonly string[];
}

export interface Subject {
  /** Shown beside the operation where it is measured in more than one way. */
  way?: string;
  request: (turn: number, world: World) => Request;
  /** Answered instead of the route's own status. */
  status?: number;
  /** Of the median time to that of the floor. */
  maxRatio?: number;
  /** Of calls that wait for each other. */
  maxTrips?: number;
  /** Of the function's processor time, in milliseconds. */
  maxCpuMs?: number;
}

const credentials = { 'x-app-id': 'demo-app', 'x-app-token': 'demo-token-for-local-use-only' };

const again: readonly string[] = [
  'add-member',
  'assign-reward',
  'assign-rewards',
  'assign-holders',
  'assign-campaign-holders',
];

/** What a path names is used up by a turn, or can have it done to it only once. */
const isOnce = ({ name }: Operation) => name.startsWith('delete-') || again.includes(name);

/** The project with all that the turns use up. */
export function benchProject(): Promise<Record<string, unknown>> {
  return projectFor(operations.filter((operation) => isOnce(operation) && !(operation.name in particular)));
}

const ends = (what: string): Subject['request'] => {
  return (turn) => ({ params: { memberId: 'CREW-INGRID', pendingPointsId: ripening(what, turn) } });
};

/** An example by another code at each turn. */
const byCode = (name: string, make: (turn: number) => Record<string, string>): Subject['request'] => {
  const { example } = operationNamed(name).route;
  return (turn) => ({ ...example, params: { ...example.params, ...make(turn) } });
};

const transfer = (entries: number): Subject => ({
  way: entries === 1 ? '1 entry' : `${entries} entries`,
  maxRatio: 1.5,
  request: (turn) => ({
    params: { campaignId: 'camp_crew', memberId: 'TILL' },
    body: Array.from({ length: entries }, (_, index) => ({
      code: purse(index),
      points: 1,
      source_id: `tx-${entries}-${turn}`,
    })),
  }),
});

/** The example; where what it makes may be there once only, another one at each turn. */
function varied(operation: Operation): Subject['request'] {
  const { example, errors } = operation.route;
  const { body } = example;
  const params = Object.entries(example.params ?? {});
  const unique = errors.includes('duplicate_found') ? ['name', 'source_id', 'code', 'email'] : [];
  const texts = Object.entries(Object(body)).filter(([field, text]) => unique.includes(field) && text !== undefined);
  return (turn) => ({
    ...example,
    ...(isOnce(operation)
      ? { params: Object.fromEntries(params.map(([name, text]) => [name, copied(text, operation, turn)])) }
      : {}),
    ...(texts.length > 0
      ? { body: { ...Object(body), ...Object.fromEntries(texts.map(([field, text]) => [field, `${turn}-${text}`])) } }
      : {}),
  });
}

/** A coupon of one's own, of a member who earns points by the order. */
const oneCoupon = (turn: number) => ({
  redeemables: [{ object: 'voucher', id: ticket(turn) }],
  customer: { id: 'cust_ingrid' },
  order: {
    source_id: `receipt-${turn}`,
    items: [{ product_id: 'prod_beans', quantity: 2 }, { product_id: 'prod_filter' }],
  },
});

/** A tier, of an order of its own: what was redeemed on one order stands on it. */
const twoBags = (turn: number) => ({
  redeemables: [{ object: 'promotion_tier', id: 'promo_two_bags' }],
  customer: { source_id: 'ingrid' },
  order: { source_id: `bags-${turn}`, items: [{ product_id: 'prod_beans', quantity: 2 }] },
});

/** A full cart at a till with much on offer. */
const fullCart = {
  redeemables: upTo(5, (index) => ({ object: 'voucher', id: offer(index) })),
  customer: { source_id: 'ingrid' },
  order: {
    items: upTo(30, (index) => ({ source_id: `line-${index}`, quantity: 1 + (index % 3), price: 500 + index })),
  },
};

const withToken = (turn: number, { tokens }: World) => ({ body: { access_token: tokens[turn] ?? '' } });

/**
 * What is measured otherwise than by the example once, without a limit: what is used up by a turn, other ways, and limits. They are
 * those that the project has set itself; where there is none, the figure is only shown.
 */
const particular: Readonly<Record<string, readonly Partial<Subject>[]>> = {
  'introspect-token': [{ request: (_, world) => withToken(0, world) }],
  'revoke-token': [{ request: withToken }],
  'get-voucher': [
    { request: () => ({ params: { code: 'TIDE-HELLO' } }), maxRatio: 1.35 },
    { way: 'loyalty card', maxRatio: 1.35 },
    { way: 'unknown code', request: () => ({ params: { code: 'NOPE' } }), status: 404 },
  ],
  // A project has one document of them, which stays for the other turns.
  'create-stacking-rules': [{ way: 'already there', status: 409 }],
  'delete-stacking-rules': [
    {
      way: 'unknown',
      request: () => ({ params: { projectId: 'proj_demo', stackingRulesId: 'stk_nobody' } }),
      status: 404,
    },
  ],
  // Its tiers are of one campaign, which a copy of the stack has not.
  'delete-promotion-stack': [
    { way: 'unknown', request: () => ({ params: { campaignId: 'camp_beans', stackId: 'stack_nobody' } }), status: 404 },
  ],
  // In a long run there are as many as there may be, for those that are deleted.
  'create-product-collection': [isLong ? { way: 'one too many', status: 400 } : {}],
  // A project has one brand; what is in the bin has an id that nobody knows before.
  'create-brand': [{ way: 'already there', status: 409 }],
  'delete-brand': [
    { way: 'unknown', request: () => ({ params: { projectId: 'proj_demo', brandingId: 'brd_nobody' } }), status: 404 },
  ],
  'delete-event-schema': [
    { way: 'unknown', request: () => ({ params: { projectId: 'proj_demo', schemaId: 'ms_nobody' } }), status: 404 },
  ],
  'delete-trash-bin-entry': [
    { way: 'unknown', request: () => ({ params: { binEntryId: 'tbe_nobody' } }), status: 404 },
  ],
  'add-voucher-with-code': [{ request: byCode('add-voucher-with-code', (turn) => ({ code: `EARLY-${turn}` })) }],
  'create-voucher-with-code': [{ request: byCode('create-voucher-with-code', (turn) => ({ code: `TIN-${turn}` })) }],
  'redeem-member-reward': [{ request: byCode('redeem-member-reward', () => ({ memberId: purse(0) })) }],
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
    { way: '5 on 30 lines', request: () => ({ body: fullCart }), maxRatio: 1.5, maxTrips: 2, maxCpuMs: 2 },
  ],
  'redeem-redeemables': [
    { request: (turn) => ({ body: twoBags(turn) }) },
    { way: '1 coupon', request: (turn) => ({ body: oneCoupon(turn) }), maxRatio: 1.5, maxTrips: 3 },
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
  'get-qr-asset': [{ request: (_, { project }) => ({ params: { id: assetId(project, 'qr', 'TIDE-HELLO') } }) }],
  'get-barcode-asset': [
    { request: (_, { project }) => ({ params: { id: assetId(project, 'barcode', 'TIDE-HELLO') } }) },
  ],
};

/** Of a page of a list. */
const maxRatioOfList = 1.5;

export const isList = ({ name }: Operation) => name.startsWith('list-');

/** In what ways an operation is measured; not where most of the time is a bucket's. */
export function subjectsOf(operation: Operation): Subject[] {
  if (operation.route.files) return [];
  const usual = isList(operation) ? { maxRatio: maxRatioOfList } : {};
  return (particular[operation.name] ?? [{}]).map((one) => ({ request: varied(operation), ...usual, ...one }));
}

function credentialsFor({ authentication }: Operation['route']): Record<string, string> {
  if (authentication === 'client') return pageCredentials;
  return authentication === 'none' ? {} : credentials;
}

let addresses = 0;

/** A page has five calls in five seconds from one address. */
function newAddress(): string {
  addresses += 1;
  return ['10', addresses >> 16, addresses >> 8, addresses].map((part) => Number(part) & 255).join('.');
}

/** As the gateway sends it, with the credentials that the route asks for. */
export function eventOf(
  { route }: Operation,
  { request }: Subject,
  turn: number,
  world: World,
): APIGatewayProxyEventV2 {
  const { headers, ...wanted } = request(turn, world);
  const event = apiEvent(route, {
    ...wanted,
    headers: { ...credentialsFor(route), ...headers },
    sourceIp: newAddress(),
  });
  if (route.authentication === 'management') {
    const iam = { userArn: 'arn:aws:iam::123456789012:user/bench' };
    Object.assign(event.requestContext, { authorizer: { iam } });
  }
  return event;
}

/** A page of what the example asks for. */
export function listAt(operation: Operation, query: string): Subject {
  const { params } = operation.route.example;
  return { request: () => ({ ...(params ? { params } : {}), query }) };
}

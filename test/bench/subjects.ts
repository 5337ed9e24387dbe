import { readFile } from 'node:fs/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Operation, operations } from '../../infra/operations.ts';
import type { Project } from '../../lib/projects/project.ts';
import { assetId } from '../../lib/vouchers/asset-id.ts';
import { apiEvent, type Request } from '../support/api-event.ts';
import { isLong } from './benchmark.ts';

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

/** More than any run takes turns. */
export const mostTurns = isLong ? 300 : 80;
const mostEntries = 32;

const pageCredentials = {
  'x-client-application-id': 'bench-page',
  'x-client-token': 'bench-page-token-for-local-use-only',
  origin: 'https://shop.example',
};
const credentials = { 'x-app-id': 'demo-app', 'x-app-token': 'demo-token-for-local-use-only' };
const sleeper = (turn: number) => `SLEEPER-${turn}`;
/** Pending points that a turn ends. */
const ripening = (what: string, turn: number) => `lopp_${what}_${turn}`;
const ends = (what: string): Subject['request'] => {
  return (turn) => ({ params: { memberId: 'CREW-INGRID', pendingPointsId: ripening(what, turn) } });
};
const purse = (index: number) => `PURSE-${index}`;
const offer = (index: number) => `OFFER-${index}`;
const ticket = (turn: number) => `TICKET-${turn}`;
const upTo = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

function card(code: string, points: number) {
  return {
    code,
    type: 'LOYALTY_CARD',
    campaign_id: 'camp_crew',
    active: true,
    holder_id: `cust_${code}`,
    loyalty_card: { points },
  };
}

type Entry = Record<string, unknown>;

const isDeletion = ({ name }: Operation) => name.startsWith('delete-');

const copied = (text: string, { name }: Operation, turn: number) => `${text}-${name}-${turn}`;

/** Of what the example of a deletion names, a copy for each turn, under names of its own. */
function copies(operation: Operation, demo: Readonly<Record<string, unknown>>): { list: string; entry: Entry }[] {
  const wanted = Object.values(operation.route.example.params ?? {});
  const found = Object.entries(demo).flatMap(([list, entries]) =>
    (Array.isArray(entries) ? entries : [])
      .filter(({ id, source_id }) => wanted.includes(id) || wanted.includes(source_id))
      .map((entry: Entry) => ({ list, entry })),
  );
  const names = new Set(found.flatMap(({ entry: { id, source_id, name } }) => [id, source_id, name]));
  const copy = (entry: Entry, turn: number): Entry =>
    Object.fromEntries(
      Object.entries(entry).map(([field, value]) => [
        field,
        typeof value === 'string' && names.has(value) ? copied(value, operation, turn) : value,
      ]),
    );
  const turns = Array.from({ length: mostTurns }, (_, turn) => turn);
  return turns.flatMap((turn) => found.map(({ list, entry }) => ({ list, entry: copy(entry, turn) })));
}

export async function demoProject() {
  return JSON.parse(await readFile(new URL('../../infra/local/demo-project.json', import.meta.url), 'utf8'));
}

/** The demo project with what the turns use up. */
export async function benchProject(): Promise<Record<string, unknown>> {
  const demo = await demoProject();
  const purses = Array.from({ length: mostEntries }, (_, index) => purse(index));
  const till = 'TILL';
  const deleted = operations
    .filter((operation) => isDeletion(operation) && !(operation.name in particular))
    .flatMap((operation) => copies(operation, demo));
  const withDeleted = Object.entries(demo).map(([list, entries]) => [
    list,
    Array.isArray(entries)
      ? [...entries, ...deleted.flatMap((one) => (one.list === list ? [one.entry] : []))]
      : entries,
  ]);
  const project = Object.fromEntries(withDeleted);
  const page = {
    client_application_id: pageCredentials['x-client-application-id'],
    client_token: pageCredentials['x-client-token'],
    name: 'Bench',
    origins: [pageCredentials.origin],
  };
  return {
    ...project,
    client_keys: [page],
    customers: [...project.customers, ...[till, ...purses].map((code) => ({ id: `cust_${code}` }))],
    pending_points: [
      ...demo.pending_points,
      ...['activated', 'cancelled'].flatMap((what) =>
        Array.from({ length: mostTurns }, (_, turn) => ({ id: ripening(what, turn), code: 'CREW-INGRID', points: 1 })),
      ),
    ],
    vouchers: [
      ...demo.vouchers,
      card(till, 0),
      ...purses.map((code) => card(code, 1_000_000)),
      ...upTo(5, (index) => ({
        code: offer(index),
        type: 'DISCOUNT_VOUCHER',
        active: true,
        discount: { type: 'PERCENT', percent_off: 3 + index, effect: index % 2 ? 'APPLY_TO_ITEMS' : 'APPLY_TO_ORDER' },
      })),
      ...upTo(mostTurns, (turn) => ({
        code: ticket(turn),
        type: 'DISCOUNT_VOUCHER',
        active: true,
        discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
        redemption: { quantity: 1 },
      })),
      ...Array.from({ length: mostTurns }, (_, turn) => ({
        code: sleeper(turn),
        type: 'DISCOUNT_VOUCHER',
        campaign_id: 'camp_morning',
        active: false,
      })),
    ],
  };
}

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
  const { body, params = {} } = example;
  if (isDeletion(operation)) {
    const named = Object.entries(params);
    return (turn) => ({
      ...example,
      params: Object.fromEntries(named.map(([name, text]) => [name, copied(text, operation, turn)])),
    });
  }
  const unique = errors.includes('duplicate_found') ? ['name', 'source_id', 'code', 'email'] : [];
  const texts = Object.entries(Object(body)).filter(([field, text]) => unique.includes(field) && text !== undefined);
  if (texts.length === 0) return () => example;
  return (turn) => ({
    ...example,
    body: { ...Object(body), ...Object.fromEntries(texts.map(([field, text]) => [field, `${turn}-${text}`])) },
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
  // There are as many as there may be, and more, for those that are deleted.
  'create-product-collection': [{ way: 'one too many', status: 400 }],
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

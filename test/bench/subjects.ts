import { readFile } from 'node:fs/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { requestExamples } from '../../infra/openapi/examples.ts';
import type { Project } from '../../lib/projects/project.ts';
import { type Operation, routes } from '../../lib/routes/index.ts';
import type { Route } from '../../lib/routes/route.ts';
import { assetId } from '../../lib/vouchers/asset-id.ts';
import { apiEvent, type Request } from '../support/api-event.ts';

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
}

/** More than any run takes turns. */
export const mostTurns = 400;
const mostEntries = 40;

const credentials = { 'x-app-id': 'demo-app', 'x-app-token': 'demo-token-for-local-use-only' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const sleeper = (turn: number) => `SLEEPER-${turn}`;
const purse = (index: number) => `PURSE-${index}`;

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

/** The demo project with what the turns use up. */
export async function benchProject(): Promise<Record<string, unknown>> {
  const demo = JSON.parse(await readFile(new URL('../../infra/local/demo-project.json', import.meta.url), 'utf8'));
  const purses = Array.from({ length: mostEntries }, (_, index) => purse(index));
  const till = 'TILL';
  return {
    ...demo,
    customers: [...demo.customers, ...[till, ...purses].map((code) => ({ id: `cust_${code}` }))],
    vouchers: [
      ...demo.vouchers,
      card(till, 0),
      ...purses.map((code) => card(code, 1_000_000)),
      ...Array.from({ length: mostTurns }, (_, turn) => ({
        code: sleeper(turn),
        type: 'DISCOUNT_VOUCHER',
        campaign_id: 'camp_morning',
        active: false,
      })),
    ],
  };
}

function example(operation: Operation, more: (turn: number) => object = () => ({})): Subject['request'] {
  const { params, body } = requestExamples[operation] ?? {};
  return (turn) => ({
    ...(params ? { params } : {}),
    ...(body ? { body: { ...body, ...more(turn) } } : {}),
  });
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

const list = (operation: Operation): readonly Subject[] => [{ request: example(operation), maxRatio: 1.5 }];

/** The limits are those that the project has set itself; where there is none, the figure is only shown. */
export const subjects: Readonly<Record<Operation, readonly Subject[]>> = {
  'issue-token': [{ request: () => ({ headers: form, body: 'grant_type=client_credentials&scope=vouchers' }) }],
  'introspect-token': [{ request: (_, { tokens: [token] }) => ({ headers: form, body: `access_token=${token}` }) }],
  'revoke-token': [{ request: (turn, { tokens }) => ({ headers: form, body: `access_token=${tokens[turn]}` }) }],
  'create-campaign': [{ request: example('create-campaign', (turn) => ({ name: `Winter ${turn}` })) }],
  'get-campaign': [{ request: example('get-campaign') }],
  'update-campaign': [{ request: example('update-campaign', (turn) => ({ metadata: { channel: `web ${turn}` } })) }],
  'get-voucher': [
    { request: () => ({ params: { code: 'TIDE-HELLO' } }), maxRatio: 1.35 },
    { way: 'loyalty card', request: example('get-voucher'), maxRatio: 1.35 },
    { way: 'unknown code', request: () => ({ params: { code: 'NOPE' } }), status: 404 },
  ],
  'list-voucher-transactions': list('list-voucher-transactions'),
  'enable-voucher': [{ request: (turn) => ({ params: { code: sleeper(turn) } }), maxRatio: 1.5 }],
  'get-loyalty-campaign': [{ request: example('get-loyalty-campaign') }],
  'list-member-tiers': list('list-member-tiers'),
  'list-member-transactions': list('list-member-transactions'),
  'transfer-points': [transfer(1), transfer(mostEntries)],
  'adjust-pending-points': [
    { request: example('adjust-pending-points', (turn) => ({ points: turn % 2 ? -10 : 10 })), maxRatio: 1.5 },
  ],
  'get-customer': [{ request: example('get-customer') }],
  'list-customer-activities': list('list-customer-activities'),
  'send-event': [{ request: example('send-event') }],
  'list-promotion-tiers': list('list-promotion-tiers'),
  'list-campaign-promotion-tiers': list('list-campaign-promotion-tiers'),
  'get-promotion-tier': [{ request: example('get-promotion-tier') }],
  'update-promotion-tier': [
    { request: example('update-promotion-tier', (turn) => ({ banner: `Two bags: ${turn}` })), maxRatio: 1.5 },
  ],
  'list-reward-assignments': list('list-reward-assignments'),
  'list-rewards': list('list-rewards'),
  'list-loyalty-tier-rewards': list('list-loyalty-tier-rewards'),
  'get-brand': [{ request: example('get-brand') }],
  'invite-user': [{ request: example('invite-user', (turn) => ({ email: `siv.${turn}@harbourcoffee.example` })) }],
  'get-qr-asset': [{ request: (_, { project }) => ({ params: { id: assetId(project, 'qr', 'TIDE-HELLO') } }) }],
  'get-barcode-asset': [
    { request: (_, { project }) => ({ params: { id: assetId(project, 'barcode', 'TIDE-HELLO') } }) },
  ],
  'unknown-path': [{ request: () => ({ path: '/v1/nothing-there', method: 'GET' }), status: 404 }],
};

/** As the gateway sends it, with the credentials that the route asks for. */
export function eventOf(
  operation: Operation,
  { request }: Subject,
  turn: number,
  world: World,
): APIGatewayProxyEventV2 {
  const route: Route = routes[operation];
  const { headers, ...wanted } = request(turn, world);
  const event = apiEvent(route, {
    ...wanted,
    headers: { ...(route.authentication === 'none' ? {} : credentials), ...headers },
  });
  if (route.authentication === 'management') {
    const iam = { userArn: 'arn:aws:iam::123456789012:user/bench' };
    Object.assign(event.requestContext, { authorizer: { iam } });
  }
  return event;
}

/** A page of what the example asks for. */
export function listAt(operation: Operation, query: string): Subject {
  const { params } = requestExamples[operation] ?? {};
  return { request: () => ({ ...(params ? { params } : {}), query }) };
}

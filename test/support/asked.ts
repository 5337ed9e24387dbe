import { canTakeIdempotencyKey } from '#kernel/http/route.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import type { Request } from './api-event.ts';
import type { requestsTo } from './one-of-each.ts';
import { evenly, isLong } from './sampled.ts';

const lateIn2028 = new Date('2028-07-15T12:00:00.000Z');
const cupReturned = { event: 'cup_returned', customer: { source_id: 'crm-101' }, loyalty: { code: 'CREW-INGRID' } };
const crewOfOluf = { campaignId: 'camp_crew', memberId: 'CREW-OLUF' };

/** The transfer that is sent once before all other requests. */
export const transferMadeBefore = {
  params: crewOfOluf,
  body: [{ code: 'CREW-INGRID', points: 7, source_id: 'till-7-0000' }],
};

/**
 * Requests besides the documented request, by the operation's name, for behaviour that the documented request does not
 * reach.
 */
const alsoAsked: readonly (readonly [string, string, Omit<Request, 'headers'>, { at?: Date }?])[] = [
  ['in a category', 'create-campaign', { body: { name: 'In a category', category_id: 'cat_counter' } }],
  [
    'of dates',
    'update-campaign',
    { params: { campaignId: 'camp_morning' }, body: { expiration_date: '2031-01-01T00:00:00Z' } },
  ],
  [
    'of its place',
    'update-promotion-tier',
    { params: { promotionTierId: 'promo_two_bags' }, body: { hierarchy: 3, metadata: { shelf: 'left' } } },
  ],
  [
    'of a new customer who was referred',
    'send-event',
    {
      body: {
        event: 'subscription_started',
        customer: { source_id: 'crm-new', name: 'Runa' },
        referral: { code: 'MATE-INGRID' },
        metadata: { plan: 'weekly' },
      },
    },
  ],
  [
    'for points that are pending at first',
    'send-event',
    {
      body: { event: 'tasting_booked', customer: { source_id: 'crm-101', name: 'I.' }, loyalty: { code: 'CREW-OLUF' } },
    },
  ],
  // The points are settled first, in a separate transaction.
  ['to a card with points that have lapsed', 'send-event', { body: cupReturned }, { at: lateIn2028 }],
  [
    'from a card with points that have lapsed',
    'transfer-points',
    { params: crewOfOluf, body: [{ code: 'CREW-INGRID', points: 5, source_id: 'till-7-0002' }] },
    { at: lateIn2028 },
  ],
  ['that was made before', 'transfer-points', transferMadeBefore],
  [
    'that a session keeps',
    'validate-redeemables',
    {
      body: {
        redeemables: [{ object: 'voucher', id: 'TIN-LANTERN' }],
        order: { amount: 900 },
        session: { type: 'LOCK', key: 'till-7' },
      },
    },
  ],
];

export interface Asked {
  name: string;
  operation: Operation;
  request: (requestTo: Requests) => Request;
  /** Another time than the tests' time. */
  at?: Date | undefined;
  hasKey?: boolean;
  /** True for a request besides the endpoint's own. */
  isMore?: boolean;
}

export type Requests = Awaited<ReturnType<typeof requestsTo>>;

const [writing, reading] = [true, false].map((writes) =>
  operations.filter(({ route }) => (route.access === 'write') === writes),
);
/** Reads meet their faults in one shared place below the use cases, so some of them are enough. */
const plain = isLong ? [...(writing ?? []), ...evenly(reading ?? [], 15)] : evenly(operations, 10);

/** The record of a key is also one shared place. */
const withKeys = isLong ? evenly(writing ?? [], 30) : [];

/**
 * A long run sends each writing request, and some of them again with an idempotency key. A quick run sends some of
 * them, and all special requests.
 */
export const allAsked = operations.flatMap((operation): Asked[] => {
  const { name, route } = operation;
  const withKey = (requestTo: Requests) => {
    const { headers, ...request } = requestTo(operation);
    return { ...request, headers: { ...headers, 'idempotency-key': `one-${name}` } };
  };
  const more = alsoAsked.filter(([, of]) => of === name);
  return [
    ...(plain.includes(operation) ? [{ name, operation, request: (requestTo: Requests) => requestTo(operation) }] : []),
    ...(canTakeIdempotencyKey(route) && (withKeys.includes(operation) || name === 'adjust-pending-points')
      ? [{ name: `${name} with a key`, operation, request: withKey, hasKey: true }]
      : []),
    ...more.map(([what, , asked, { at } = {}]) => ({
      name: `${name} ${what}`,
      operation,
      at,
      isMore: true,
      request: (requestTo: Requests) => ({ ...requestTo(operation), ...asked }),
    })),
  ];
});

import * as v from 'valibot';
import { campaignEntry, campaignLists } from '#engine/campaigns/campaign-lists.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { findCustomerItem, findHeldCards } from '#engine/customers/find-customer.ts';
import { findStanding } from '#engine/ledger/card.ts';
import { orderPaid } from '#engine/ledger/earning-events.ts';
import { sumGain } from '#engine/loyalty/earning/card-earnings.ts';
import { type EarningProgramme, listEventCollections, Programmes } from '#engine/loyalty/earning/earning-programmes.ts';
import { chooseCard, computeProgrammeGain, type Occurrence } from '#engine/loyalty/earning/gains.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { described, named } from '#kernel/core/documented.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import { count, object, record } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import { walkList } from '#kernel/table/listing.ts';
import { type CartLine, computeRest } from '../engine/cart.ts';
import { addCollections } from '../orders/next-order.ts';
import { order } from '../orders/resource.ts';
import type { Calling } from '../request/build-redeemable.ts';
import { type CommerceCart, type commerceCart, readCommerceCart } from './cart-body.ts';
import { describeRule } from './describe-rule.ts';
import { priceCart } from './price-cart.ts';
import { ucpMessage } from './ucp-discounts.ts';

/** Names programmes by reversed domains, as UCP does (docs/commerce.md#memberships). */

/** Limits the programmes that a claim may name, the newest. */
const maxProgrammes = 100;
/** Limits the campaigns among which programmes are searched. */
const maxCampaigns = 1_000;

const pattern = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$/;

const reversedDomain = v.pipe(
  v.string(),
  v.maxLength(200, 'must have at most 200 characters'),
  v.regex(pattern, 'must be a reversed domain, such as com.example.shop'),
);

/** Returns the key of a programme: the shop's domain, and the programme's name in plain letters. */
function nameMembership(domain: string, { id, name }: { readonly id: string; readonly name: string }): string {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '');
  return `${domain}.${plain(name) || plain(id)}`;
}

/** Returns the ids of the project's newest programmes. */
async function listProgrammeIds({ table, project }: Reading): Promise<string[]> {
  const ids: string[] = [];
  let looked = 0;
  for await (const { listed } of walkList(table, campaignLists.created_at, [project.id], { descending: true })) {
    const { id, campaign_type } = parseStored(campaignEntry, listed);
    if (campaign_type === 'LOYALTY_PROGRAM') ids.push(id);
    looked += 1;
    if (ids.length === maxProgrammes || looked === maxCampaigns) break;
  }
  return ids;
}

/** Shows the programmes of an agent's buyer, and the points that the cart would earn. */

export const loyaltyQuery = object({
  domain: described(
    reversedDomain,
    "The shop's reversed domain, such as `com.example.shop`. Memberships are named by it.",
  ),
});

const benefit = v.object({ id: v.string(), description: v.string() });

const membership = named(
  'UcpMembership',
  v.object({
    id: described(v.string(), 'The id of the programme. No reply has the id or the code of a card.'),
    name: v.string(),
    display_id: described(v.optional(v.string()), 'The last characters of the card.'),
    tiers: v.optional(v.array(v.object({ id: v.string(), name: v.string(), benefits: v.array(benefit) }))),
    rewards: v.array(
      v.object({
        currency: v.object({ name: v.string(), code: v.string(), decimal_places: count }),
        earning_forecast: v.object({
          amount: count,
          breakdown: v.array(
            v.object({ id: v.string(), amount: count, description: v.string(), benefit_id: v.optional(v.string()) }),
          ),
        }),
      }),
    ),
    provisional: described(v.boolean(), 'True for a claim of a buyer that the shop has not verified.'),
  }),
);

export const loyaltyOfCart = named(
  'UcpLoyalty',
  v.object({ loyalty: record(membership), messages: v.array(ucpMessage) }),
);

type Membership = v.InferInput<typeof membership>;
type Reply = v.InferInput<typeof loyaltyOfCart>;

interface About {
  readonly cart: CommerceCart;
  readonly programmes: Programmes;
  readonly occurrence: Occurrence;
  /** The lines of the cart after its discounts. */
  readonly lines: readonly CartLine[];
}

/** Hides all but the last characters, and most of a short code. */
function maskCode(code: string): string {
  const characters = [...code];
  return `****${characters.slice(-Math.min(4, Math.floor(characters.length / 2))).join('')}`;
}

function findTier(programme: EarningProgramme, item: VoucherItem | undefined, now: Date) {
  const { standing } = item ? findStanding({ item, programme }, formatDay(now)) : {};
  return programme.tiers.find(({ id }) => id === standing?.tier_id);
}

async function showMembership(
  context: Calling,
  programme: EarningProgramme,
  card: VoucherItem | undefined,
  { cart, programmes, occurrence, lines }: About,
): Promise<Membership> {
  const { campaign, rules } = programme;
  const tier = findTier(programme, card, context.now);
  const items = await addCollections(context, lines, listEventCollections([programme], orderPaid));
  const earned = { ...occurrence, ...(occurrence.order ? { order: { ...occurrence.order, items } } : {}) };
  const gain = await computeProgrammeGain(context, programmes, programme, earned);
  const benefits = rules
    .filter(({ active, event }) => active && event === orderPaid)
    .map((rule) => ({ id: rule.id, description: describeRule(rule, tier, cart.currency) }));
  const breakdown = (gain?.earnings ?? []).map(({ rule, points }) => ({
    id: rule.id,
    amount: points,
    description: describeRule(rule, tier, cart.currency),
    ...(tier ? { benefit_id: rule.id } : {}),
  }));
  return {
    id: campaign.id,
    name: campaign.name,
    ...(card ? { display_id: maskCode(card.code) } : {}),
    ...(tier ? { tiers: [{ id: tier.id, name: tier.name, benefits }] } : {}),
    rewards: [
      {
        currency: { name: 'Points', code: 'PTS', decimal_places: 0 },
        earning_forecast: { amount: gain ? sumGain(gain, earned) : 0, breakdown },
      },
    ],
    provisional: card === undefined,
  };
}

/** Returns the order as points see it: after the discounts of the cart. */
async function readOccurrence(context: Calling, cart: CommerceCart, customer: CustomerItem | undefined) {
  const [{ after }, held] = await Promise.all([
    priceCart(context, cart),
    customer ? findHeldCards(context, customer.id) : [],
  ]);
  return {
    event: orderPaid,
    metadata: {},
    customerId: customer?.id ?? newPrefixedId('cust_', context.now),
    customerMetadata: customer?.metadata ?? {},
    customerBirthdate: customer?.birthdate ?? customer?.birthday,
    held: held.filter(({ type }) => type === 'LOYALTY_CARD'),
    order: {
      id: newPrefixedId(order.idPrefix, context.now),
      amount: after.amount,
      initial_amount: after.initial_amount,
      total_amount: computeRest(after),
      metadata: {},
      items: after.lines,
    },
  };
}

function refuseClaim(index: number, content: string): Reply['messages'][number] {
  const path = `$.context.eligibility[${index}]`;
  return { type: 'error', code: 'eligibility_invalid', severity: 'recoverable', path, content };
}

/** Shows memberships of a verified customer, and claims of any buyer. Claims for other shops and unknown programmes are ignored. */
export async function showLoyaltyOfCart(
  context: Calling,
  body: v.InferOutput<typeof commerceCart>,
  { domain }: v.InferOutput<typeof loyaltyQuery>,
): Promise<Reply> {
  const { now } = context;
  const cart = readCommerceCart(body, context.project);
  const isClaiming = cart.claims.some((claim) => claim.startsWith(`${domain}.`));
  const [customer, listed] = await Promise.all([
    cart.customerName === undefined ? undefined : findCustomerItem(context, cart.customerName),
    isClaiming ? listProgrammeIds(context) : [],
  ]);
  const occurrence = await readOccurrence(context, cart, customer);
  const programmes = new Programmes(context);
  const about = { cart, programmes, occurrence, lines: occurrence.order.items };
  const ids = [...occurrence.held.flatMap(({ campaign_id }) => campaign_id ?? []), ...listed];
  const found = [...(await programmes.get([...new Set(ids)], orderPaid)).values()];
  const loyalty: [key: string, shown: Membership][] = [];
  const messages: Reply['messages'] = [];
  const keys = new Set<string>();
  for (const programme of found) {
    const { campaign } = programme;
    const key = nameMembership(domain, campaign);
    const claim = cart.claims.indexOf(key);
    const { item: card } = chooseCard(occurrence, programme, now);
    const isOff = findVoucherRefusal({ campaign_id: campaign.id }, campaign, now) !== undefined;
    // Two programmes may share a name. The programme with a card wins, and otherwise the newest.
    if (keys.has(key) || (!card && claim < 0)) continue;
    keys.add(key);
    if (card || (!isOff && cart.customerName === undefined)) {
      const shown = await showMembership(context, programme, card, about);
      loyalty.push([key, shown]);
    } else {
      messages.push(refuseClaim(claim, `The buyer is not a member of ${campaign.name}.`));
    }
  }
  return { loyalty: Object.fromEntries(loyalty), messages };
}

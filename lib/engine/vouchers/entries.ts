import * as v from 'valibot';
import { campaignEntries } from '#engine/campaigns/entries.ts';
import { placedVoucher, placeVoucher } from '#engine/ledger/codes/voucher-lists.ts';
import { categoryEntries } from '#engine/rules/categories/category-fields.ts';
import { discount, findGiftFaults, gift } from '#engine/rules/discounts/discount.ts';
import { findDateFaults, hasNoStart, timeframeNeedsStart } from '#engine/rules/validity/dates.ts';
import { validityDates } from '#engine/rules/validity/validity.ts';
import { defined } from '#kernel/core/defined.ts';
import { code, count, dateTime, longText, nullable, reference, sentMetadata } from '#kernel/core/schema.ts';
import { explainDifference, type ItemWrite, makePointer } from '#kernel/kit/entries/item-write.ts';
import {
  describeList,
  findFileEntry,
  listAttributes,
  refer,
  toCampaign,
  toCategory,
} from '#kernel/kit/entries/list.ts';
import type { HeldEntries } from '#kernel/kit/entries/traits.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { cardAttributes, cardEntry, cardMoved, findCardFaults, loyaltyCard } from './card-entry.ts';
import { addends, completeFigures, figures } from './entry-figures.ts';
import { buildHolding } from './held-card.ts';
import { keepStoredMetadata, keyLastPublication } from './publication-metadata.ts';
import { formerVouchers, voucher, voucherItem, vouchers, voucherType } from './voucher.ts';

const entry = v.object({
  code,
  type: voucherType,
  campaign: nullable(reference),
  campaign_id: nullable(reference),
  ...categoryEntries,
  discount: nullable(discount),
  /** `credited` is the amount that was credited in addition to the first amount. */
  gift: nullable(v.object({ ...gift.entries, credited: v.optional(count) })),
  loyalty_card: nullable(loyaltyCard),
  ...validityDates,
  active: nullable(v.boolean()),
  additional_info: nullable(longText),
  metadata: v.optional(sentMetadata),
  is_referral_code: nullable(v.boolean()),
  holder_id: nullable(reference),
  referrer_id: nullable(reference),
  /** The id at another service. Paths accept it as well as the code. */
  former_id: nullable(reference),
  publish: v.optional(v.object({ count: v.optional(count), publication_ids: v.optional(v.array(v.string())) })),
  redemption: v.optional(
    v.object({
      quantity: nullable(count),
      redeemed_quantity: v.optional(count),
      redeemed_points: v.optional(count),
      redeemed_amount: v.optional(count),
    }),
  ),
  created_at: v.optional(dateTime),
  updated_at: nullable(dateTime),
});

type Entry = v.InferOutput<typeof entry>;

function* rules(one: Entry) {
  const { type, gift, loyalty_card: card, redemption } = one;
  if (type === 'GIFT_VOUCHER' && !gift) yield ' must have a gift, because it is a GIFT_VOUCHER';
  if (type === 'LOYALTY_CARD' && !card) yield ' must have a loyalty_card, because it is a LOYALTY_CARD';
  if (type === 'LOYALTY_CARD' && one.discount) yield 'discount must be absent in a LOYALTY_CARD';
  yield* findDateFaults({ ...one, validity_timeframe: undefined });
  yield* findGiftFaults(gift);
  if ((redemption?.redeemed_quantity ?? 0) > (redemption?.quantity ?? Number.POSITIVE_INFINITY)) {
    yield 'redemption.redeemed_quantity must not be above its quantity';
  }
  if (card) yield* findCardFaults(card);
}

const anyTimeframe = { interval: 'P1D', duration: 'P1D' };

/** Returns the part of an entry that its campaign may contradict. */
function alike(one: Entry): Entry | undefined {
  const { type, campaign, campaign_id, is_referral_code } = one;
  const lacksStart = hasNoStart(one);
  if (!lacksStart && !is_referral_code && type !== 'LOYALTY_CARD') return undefined;
  const validity_timeframe = lacksStart ? anyTimeframe : undefined;
  return { code: '', type, campaign, campaign_id, is_referral_code, validity_timeframe };
}

function* against(one: Entry, file: HeldEntries) {
  const campaign = findFileEntry(file, campaignEntries, one.campaign_id ?? one.campaign);
  const isReferral = campaign?.campaign_type === 'REFERRAL_PROGRAM' || campaign?.voucher?.is_referral_code;
  if (campaign && one.is_referral_code && !isReferral) {
    yield 'is_referral_code must be false, because its campaign is not a referral programme';
  }
  if (campaign && one.type === 'LOYALTY_CARD' && campaign.campaign_type !== 'LOYALTY_PROGRAM') {
    yield 'type must not be LOYALTY_CARD, because its campaign is not a loyalty programme';
  }
  if (hasNoStart(one) && !(campaign?.voucher?.start_date ?? campaign?.start_date)) {
    yield `validity_timeframe ${timeframeNeedsStart}`;
  }
}

/** Loading sets these fields only once: dates, and figures that move by themselves. */
const once = [
  ...[
    'created_at',
    'updated_at',
    'publish_count',
    'publication_ids',
    'publication_metadata',
    ...figures,
    'gift_balance',
    'gift_credited',
    'credited_points',
    'expired_points',
    'earned',
  ],
  ...['lots', 'opening_balance', 'standing', 'project_id', 'dueShard', 'dueAt'],
];

/** Returns the fields that a publication sets. A file that omits them does not reset them. */
function leftAlone({ holder_id, expiration_date, ...one }: Entry, file: HeldEntries): string[] {
  const campaign = findFileEntry(file, campaignEntries, one.campaign_id ?? one.campaign);
  return [
    ...(holder_id === undefined ? ['holder_id'] : []),
    ...(expiration_date === undefined && campaign?.activity_duration_after_publishing ? ['expiration_date'] : []),
  ];
}

/** Picks the fields that the item stores unchanged. */
const alsoStored = v.object(
  Object.fromEntries(Object.entries(entry.entries).filter(([name]) => Object.hasOwn(voucherItem.entries, name))),
);

/** The figures of these cards add up to their holder's, and the holder is stored with a list of these cards. */
const heldTypes: readonly string[] = ['LOYALTY_CARD', 'GIFT_VOUCHER'];

const storedGift = v.looseObject({ amount: v.number(), effect: v.optional(v.string()) });

export const voucherEntries = describeList('vouchers', entry, {
  called: 'voucher',
  number: 'many',
  // The id does not name entries: it depends on the project's secret, and no entry has it.
  names: ['code'],
  owner: 'voucher',
  shown: voucher,
  references: (one) => [
    toCampaign(one),
    refer('holder_id', 'customers', one.holder_id, ['id']),
    toCategory(one),
    refer('loyalty_card.standing.tier_id', 'loyalty_tiers', one.loyalty_card?.standing?.tier_id),
  ],
  rules,
  alike,
  against,
  addends,
  lookups: ({ publish }, projectId) => keyLastPublication(projectId, publish),
  items(one, { projectId, place, now, idOf, voucherId, parts, file, at }) {
    const { gift, loyalty_card: card, redemption = {}, publish } = one;
    const id = voucherId(one.code);
    const key = vouchers(projectId, id);
    const held = parts('voucher', id);
    const redeemed = completeFigures(one);
    const campaign_id = idOf('campaigns', one.campaign_id, one.campaign);
    const left = leftAlone(one, file);
    const own = Object.entries(listAttributes(alsoStored, one)).filter(([name]) => !left.includes(name));
    const write: ItemWrite = {
      key,
      item: {
        ...Object.fromEntries(own),
        id,
        campaign_id,
        category_id: idOf('categories', one.category_id, one.category),
        gift: gift ? { amount: gift.amount, effect: gift.effect } : undefined,
        redemption_quantity: redemption.quantity ?? undefined,
        ...held.item,
        created_at: one.created_at ?? now,
        publish_count: publish?.count,
        publication_ids: publish?.publication_ids,
        publication_metadata: keepStoredMetadata(one.type, keyLastPublication(projectId, publish).map(at)),
        ...Object.fromEntries(figures.map((name) => [name, redeemed[name]])),
        gift_balance: gift ? (gift.balance ?? gift.amount) : undefined,
        gift_credited: gift?.credited,
        ...(card ? { ...cardAttributes(card, key, now), project_id: projectId } : {}),
      },
      once: [...once, ...held.once],
      places: (item) => placeVoucher(projectId, parseStored(placedVoucher, item)),
      ...(card ? { moved: (stored) => cardMoved(card, stored, key, now) } : {}),
      guards: ['updated_at'],
      faults: ({ redeemed_quantity: redeemed }) =>
        Number(redeemed ?? 0) > (redemption.quantity ?? Number.POSITIVE_INFINITY)
          ? [`${place}.redemption.quantity must not be below the quantity that was redeemed since`]
          : [],
      fixed: {
        type: explainDifference(`${place}.type`),
        ...(heldTypes.includes(one.type) && one.holder_id !== undefined
          ? { holder_id: `${place}.holder_id differs from the stored holder: a card cannot change its holder` }
          : {}),
      },
      ...(one.type === 'LOYALTY_CARD'
        ? {
            // The campaign lists and counts activities about the card.
            kept: {
              campaign_id: `${place}.campaign_id differs from the stored campaign: a card cannot change its campaign`,
            },
          }
        : {}),
    };
    const former = one.former_id ? [makePointer(formerVouchers(projectId, one.former_id), { voucher_id: id })] : [];
    if (!one.holder_id) return [write, ...former];
    const created_at = one.created_at ?? now;
    const holding = buildHolding(projectId, one.holder_id, { ...one, id, campaign_id, created_at });
    const ofItsMaking = Object.keys(holding.item).filter((name) => name !== 'campaign_id');
    // The list of referral holders may have another id and date for it.
    const moved = (stored: Attributes) => Object.fromEntries(ofItsMaking.map((name) => [name, stored[name]]));
    return [write, { ...holding, once: ofItsMaking, moved }, ...former];
  },
  kinds: [kinds.voucher],
  nulls: ['additional_info'],
  entries(item, { object, ...plain }) {
    const moved = defined(Object.fromEntries(figures.map((name) => [name, item[name]])));
    const quantity = item.redemption_quantity;
    const draft = {
      ...plain,
      gift: item.gift
        ? defined({
            ...v.parse(storedGift, item.gift),
            balance: item.gift_balance,
            credited: item.gift_credited,
          })
        : undefined,
      loyalty_card: item.type === 'LOYALTY_CARD' ? cardEntry(item) : undefined,
      publish:
        item.publish_count === undefined
          ? undefined
          : defined({ count: item.publish_count, publication_ids: item.publication_ids }),
      redemption:
        quantity === undefined && Object.keys(moved).length === 0
          ? undefined
          : { quantity: quantity ?? null, ...moved },
      object,
    };
    return [defined(draft)];
  },
});

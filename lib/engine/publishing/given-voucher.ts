import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import type { Programme } from '#engine/campaigns/programme.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { isFree, moveFreeVoucher, noteChange, requireUnused } from '#engine/ledger/codes/voucher-lists.ts';
import { expireLots } from '#engine/ledger/settlement.ts';
import { newCard } from '#engine/loyalty/new-card.ts';
import { newGiftItem } from '#engine/vouchers/gift-credit.ts';
import { buildHolding, insertVoucher } from '#engine/vouchers/held-card.ts';
import { buildHeldVoucher, findPublishedEnd } from '#engine/vouchers/new-voucher.ts';
import { keepMetadata } from '#engine/vouchers/publication-metadata.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, type Effect, insert } from '#kernel/table/effects.ts';

/** A voucher that a customer gets, either read or new. */
export interface GivenVoucher {
  readonly item: VoucherItem;
  readonly isNew: boolean;
}

/** The customer, and the publication. */
export interface PublicationGiving {
  readonly publicationId: string;
  /** The metadata of the publication. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly customerId: string;
  readonly programme: Programme | undefined;
  readonly campaign: CampaignTerms | undefined;
  readonly occasion: Occasion;
  /** Collects the ids of vouchers that were changed since the read. */
  readonly lost: Set<string>;
}

/** Makes a voucher of the campaign's kind if no free voucher exists. */
export async function makeCampaignVoucher(
  context: Reading,
  { campaign, customerId }: { campaign: CampaignTerms; customerId: string },
  except: ReadonlySet<string>,
): Promise<GivenVoucher> {
  const { type = 'DISCOUNT_VOUCHER', gift } = campaign.voucher ?? {};
  if (type === 'LOYALTY_CARD') {
    const { item } = await newCard(context, { campaign, tiers: [] }, customerId);
    return { item, isNew: true };
  }
  const item =
    type === 'GIFT_VOUCHER'
      ? await newGiftItem(context, campaign, customerId, { amount: gift?.amount ?? 0, except })
      : await buildHeldVoucher(context, { campaign, type, holderId: customerId, except });
  return { item, isNew: true };
}

/** Makes the holder a member with the card, in the tier of its points. An earlier standing of the card does not count. */
function begun(
  { project, now }: Reading,
  item: VoucherItem,
  { customerId, programme, occasion }: PublicationGiving,
): Effect[] {
  if (item.type !== 'LOYALTY_CARD') return [];
  const card = { item: { ...item, holder_id: customerId, standing: null }, programme };
  return cardEffects(project.id, expireLots(card, occasion), now).effects;
}

/** Returns a free voucher with its new holder. */
export function setHolder(
  item: VoucherItem,
  { customerId, campaign }: Pick<PublicationGiving, 'customerId' | 'campaign'>,
  now: Date,
): VoucherItem {
  return {
    ...item,
    holder_id: customerId,
    publish_count: item.publish_count + 1,
    expiration_date: findPublishedEnd(campaign, now) ?? item.expiration_date,
    updated_at: now.toISOString(),
  };
}

function given(context: Reading, item: VoucherItem, giving: PublicationGiving): Effect {
  const { project, now } = context;
  const { customerId, campaign, lost } = giving;
  const at = now.toISOString();
  const end = findPublishedEnd(campaign, now);
  const after = setHolder(item, giving, now);
  const { publication_ids, publication_metadata } = publishedBy(item, giving);
  return change(
    vouchers(project.id, item.id),
    (update) => {
      moveFreeVoucher(noteChange(update, project.id, item.id, at), project.id, after)
        .whenThere()
        .whenStill('holder_id', undefined)
        .whenStill('active', item.active ?? undefined)
        .whenStill('publication_ids', item.publication_ids)
        .set(['holder_id'], customerId)
        .set(['publication_ids'], publication_ids)
        .add('publish_count', 1);
      // The voucher must also be free at the write, because it may be redeemed after the read.
      if (isFree(item)) requireUnused(update);
      if (publication_metadata) update.set(['publication_metadata'], publication_metadata);
      else if (item.publication_metadata) update.remove(['publication_metadata']);
      return end === undefined ? update : update.set(['expiration_date'], end);
    },
    () => {
      lost.add(item.id);
      return undefined;
    },
  );
}

/** Returns the fields about publications that the voucher stores. */
function publishedBy(
  { type, publication_ids: earlier = [] }: VoucherItem,
  { publicationId, metadata }: PublicationGiving,
) {
  return {
    publication_ids: [...earlier, publicationId],
    publication_metadata: keepMetadata(type, metadata),
  };
}

/** Returns the effect that makes the customer the holder, without the holding. */
export function giveEffects(context: Reading, { item, isNew }: GivenVoucher, giving: PublicationGiving): Effect[] {
  const { project } = context;
  if (!isNew) return [given(context, item, giving), ...begun(context, item, giving)];
  const made = { ...item, ...publishedBy(item, giving) };
  return [insertVoucher(project.id, made), ...begun(context, made, giving)];
}

/** Returns the holding of a given voucher from now on. 400 if the customer has it in another role. */
export function holdingEffect(projectId: string, customerId: string, item: VoucherItem, since: string): Effect {
  const { key, item: holding } = buildHolding(projectId, customerId, item, since);
  const details = `the customer is a referee of the voucher ${item.code}`;
  const resource = { id: item.code, type: 'voucher' };
  return insert(key, holding, (stored) =>
    // Without the holding, another request of the same customer was faster.
    stored?.referee ? new ServiceError('voucher_cannot_be_published', { details, resource }) : undefined,
  );
}

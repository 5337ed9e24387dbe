import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import type { Programme } from '../campaigns/programme.ts';
import { ServiceError } from '../core/errors.ts';
import type { Reading } from '../http/context.ts';
import type { Occasion } from '../ledger/activities/activity.ts';
import { cardEffects } from '../ledger/card-effects.ts';
import { changedAt, freeOrNot, isFree, whenUnused } from '../ledger/codes/voucher-lists.ts';
import { expireLots } from '../ledger/settlement.ts';
import { newCard } from '../loyalty/join.ts';
import { change, type Effect, insert } from '../table/effects.ts';
import { newGiftItem } from '../vouchers/gift-credit.ts';
import { heldItem, insertVoucher } from '../vouchers/held-card.ts';
import { endOfPublished, newHeldVoucher } from '../vouchers/new-voucher.ts';
import { askedOfPublication } from '../vouchers/published.ts';
import { type VoucherItem, vouchers } from '../vouchers/voucher.ts';

/** A voucher that a customer gets, either read or new. */
export interface Given {
  readonly item: VoucherItem;
  readonly isNew: boolean;
}

/** The customer, and the publication. */
export interface Giving {
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

/** Makes a voucher of the campaign's kind if no free one exists. */
export async function newVoucherOf(
  context: Reading,
  { campaign, customerId }: { campaign: CampaignTerms; customerId: string },
  except: ReadonlySet<string>,
): Promise<Given> {
  const { type = 'DISCOUNT_VOUCHER', gift } = campaign.voucher ?? {};
  if (type === 'LOYALTY_CARD') {
    const { item } = await newCard(context, { campaign, tiers: [] }, customerId);
    return { item, isNew: true };
  }
  const item =
    type === 'GIFT_VOUCHER'
      ? await newGiftItem(context, campaign, customerId, { amount: gift?.amount ?? 0, except })
      : await newHeldVoucher(context, { campaign, type, holderId: customerId, except });
  return { item, isNew: true };
}

/** Makes the holder a member with the card, in the tier of its points. An earlier standing of the card does not count. */
function begun({ project, now }: Reading, item: VoucherItem, { customerId, programme, occasion }: Giving): Effect[] {
  if (item.type !== 'LOYALTY_CARD') return [];
  const card = { item: { ...item, holder_id: customerId, standing: null }, programme };
  return cardEffects(project.id, expireLots(card, occasion), now).effects;
}

/** Returns a free voucher with its new holder. */
export function givenTo(
  item: VoucherItem,
  { customerId, campaign }: Pick<Giving, 'customerId' | 'campaign'>,
  now: Date,
): VoucherItem {
  return {
    ...item,
    holder_id: customerId,
    publish_count: item.publish_count + 1,
    expiration_date: endOfPublished(campaign, now) ?? item.expiration_date,
    updated_at: now.toISOString(),
  };
}

function given(context: Reading, item: VoucherItem, giving: Giving): Effect {
  const { project, now } = context;
  const { customerId, campaign, lost } = giving;
  const at = now.toISOString();
  const end = endOfPublished(campaign, now);
  const after = givenTo(item, giving, now);
  const { publication_ids, publication_metadata } = publishedBy(item, giving);
  return change(
    vouchers(project.id, item.id),
    (update) => {
      freeOrNot(changedAt(update, project.id, item.id, at), project.id, after)
        .whenThere()
        .whenStill('holder_id', undefined)
        .whenStill('active', item.active ?? undefined)
        .whenStill('publication_ids', item.publication_ids)
        .set(['holder_id'], customerId)
        .set(['publication_ids'], publication_ids)
        .add('publish_count', 1);
      // The voucher must be free at the write as well, because it may be redeemed meanwhile.
      if (isFree(item)) whenUnused(update);
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

/** Returns what the voucher stores of its publications. */
function publishedBy({ type, publication_ids: earlier = [] }: VoucherItem, { publicationId, metadata }: Giving) {
  return {
    publication_ids: [...earlier, publicationId],
    publication_metadata: askedOfPublication(type, metadata),
  };
}

/** Returns the effect that makes the customer the holder, without the holding. */
export function giveEffects(context: Reading, { item, isNew }: Given, giving: Giving): Effect[] {
  const { project } = context;
  if (!isNew) return [given(context, item, giving), ...begun(context, item, giving)];
  const made = { ...item, ...publishedBy(item, giving) };
  return [insertVoucher(project.id, made), ...begun(context, made, giving)];
}

/** Returns the holding of a given voucher from now on. 400 if the customer has it in another role. */
export function holdingEffect(projectId: string, customerId: string, item: VoucherItem, since: string): Effect {
  const { key, item: holding } = heldItem(projectId, customerId, item, since);
  const details = `the customer is a referee of the voucher ${item.code}`;
  const resource = { id: item.code, type: 'voucher' };
  return insert(key, holding, (stored) =>
    // Without the holding, another request of the same customer was faster.
    stored?.referee ? new ServiceError('voucher_cannot_be_published', { details, resource }) : undefined,
  );
}

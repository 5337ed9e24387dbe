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

/** A voucher that somebody gets, as it was read, or as it is made for them. */
export interface Given {
  readonly item: VoucherItem;
  readonly isNew: boolean;
}

/** To whom it goes, by which publication. */
export interface Giving {
  readonly publicationId: string;
  /** That of the publication. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly customerId: string;
  readonly programme: Programme | undefined;
  readonly campaign: CampaignTerms | undefined;
  readonly occasion: Occasion;
  /** Told the ids of vouchers that were changed since they were read. */
  readonly lost: Set<string>;
}

/** A voucher of the campaign's kind for somebody who finds none to take. */
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

/** Its holder becomes a member with the card, in the tier of its points, whoever may have looked at it before. */
function begun({ project, now }: Reading, item: VoucherItem, { customerId, programme, occasion }: Giving): Effect[] {
  if (item.type !== 'LOYALTY_CARD') return [];
  const card = { item: { ...item, holder_id: customerId, standing: null }, programme };
  return cardEffects(project.id, expireLots(card, occasion), now).effects;
}

/** A voucher that was free, as its new holder has it. */
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
      // Free as read, free as written: somebody may redeem it meanwhile.
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

/** What the voucher keeps of the publications by which somebody got it. */
function publishedBy({ type, publication_ids: earlier = [] }: VoucherItem, { publicationId, metadata }: Giving) {
  return {
    publication_ids: [...earlier, publicationId],
    publication_metadata: askedOfPublication(type, metadata),
  };
}

/** What makes the customer its holder, apart from the holding. */
export function giveEffects(context: Reading, { item, isNew }: Given, giving: Giving): Effect[] {
  const { project } = context;
  if (!isNew) return [given(context, item, giving), ...begun(context, item, giving)];
  const made = { ...item, ...publishedBy(item, giving) };
  return [insertVoucher(project.id, made), ...begun(context, made, giving)];
}

/** The holding of a voucher that was given, held since then. 400 where the customer has it in another role. */
export function holdingEffect(projectId: string, customerId: string, item: VoucherItem, since: string): Effect {
  const { key, item: holding } = heldItem(projectId, customerId, item, since);
  const details = `the customer is a referee of the voucher ${item.code}`;
  const resource = { id: item.code, type: 'voucher' };
  return insert(key, holding, (stored) =>
    // Without it, another request of the same customer was faster.
    stored?.referee ? new ServiceError('voucher_cannot_be_published', { details, resource }) : undefined,
  );
}

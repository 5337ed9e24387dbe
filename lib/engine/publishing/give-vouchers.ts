import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { countEvents } from '#engine/campaigns/counters.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { type Upsert, writeUpsert } from '#engine/customers/upsert-customer.ts';
import {
  campaignJoins,
  type PublicationItem,
  placePublication,
  publicationSources,
  publications,
} from '#engine/vouchers/publication.ts';
import { isReferralCode } from '#engine/vouchers/voucher.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, insert, maxWrites, mergeEffects } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import type { Joined } from './earlier-publications.ts';
import { walkFreeVouchers } from './free-vouchers.ts';
import {
  type GivenVoucher,
  giveEffects,
  holdingEffect,
  makeCampaignVoucher,
  type PublicationGiving,
} from './given-voucher.ts';
import { holdLater } from './hold-later.ts';
import { isOpenToBrowsers } from './open-to-browsers.ts';
import { recordPublication } from './publication-activities.ts';
import type { AskedPublication } from './publication-body.ts';
import type { FromCampaign, PublicationTarget } from './publication-target.ts';

const noneLeft = () =>
  new ServiceError('no_voucher_suitable_for_publication', {
    details: 'the campaign has no active voucher that was never published and never redeemed; add codes to it',
  });

/** Reserves free vouchers. An AUTO_UPDATE campaign makes missing vouchers. */
async function take(
  context: Reading,
  { campaign }: FromCampaign,
  customerId: string,
  pool: AsyncGenerator<GivenVoucher>,
  { wanted, except }: { wanted: number; except: readonly GivenVoucher[] },
): Promise<GivenVoucher[]> {
  const taken: GivenVoucher[] = [];
  while (taken.length < wanted) {
    const { value, done } = await pool.next();
    if (done) break;
    taken.push(value);
  }
  if (taken.length < wanted && (campaign.type !== 'AUTO_UPDATE' || campaign.campaign_type === 'PROMOTION'))
    throw noneLeft();
  while (taken.length < wanted) {
    const codes = new Set([...except, ...taken].map(({ item }) => item.code));
    taken.push(await makeCampaignVoucher(context, { campaign, customerId }, codes));
  }
  return taken;
}

/** The vouchers of a publication, and their customer. */
export interface Publishing {
  readonly asked: Pick<AskedPublication, 'channel' | 'sourceId' | 'metadata'>;
  readonly target: PublicationTarget;
  readonly customer: { readonly after: Pick<CustomerItem, 'id' | 'source_id'> };
  readonly joined: Joined | undefined;
  readonly giving: PublicationGiving;
}

/** The decisions for a transaction. */
interface Plan extends Publishing {
  readonly asked: AskedPublication;
  readonly customer: Upsert;
}

function publicationOf({ now }: Reading, plan: Publishing, vouchers: readonly GivenVoucher[]): PublicationItem {
  const { asked, target, customer, giving } = plan;
  const { campaign } = target;
  const [first] = vouchers;
  const { id, source_id } = customer.after;
  return {
    id: giving.publicationId,
    created_at: now.toISOString(),
    customer_id: id,
    ...(source_id ? { tracking_id: source_id } : {}),
    channel: asked.channel,
    ...(asked.sourceId === undefined ? {} : { source_id: asked.sourceId }),
    result: 'SUCCESS',
    vouchers: vouchers.map(({ item }) => ({ id: item.id, code: item.code })),
    ...(campaign ? { campaign_id: campaign.id, campaign: campaign.name } : {}),
    ...(first ? { voucher_type: first.item.type } : {}),
    is_referral_code: first ? (isReferralCode(first.item, campaign) ?? false) : false,
    asked: 'item' in target ? 'voucher' : 'campaign',
    metadata: asked.metadata,
  };
}

/**
 * Claims the source id, and notes the customer's publication of a campaign. Fails if the customer may join only once
 * and has joined since the read.
 */
function claims(
  { project }: Reading,
  { asked, target, customer, joined }: Publishing,
  publication_id: string,
): Effect[] {
  const { campaign } = target;
  return [
    ...(asked.sourceId ? [insert(publicationSources(project.id, asked.sourceId), { publication_id })] : []),
    ...(campaign
      ? [
          change(campaignJoins(project.id, campaign.id, customer.after.id), (update) => {
            update.set(['publication_id'], publication_id);
            return joined ? update.whenStill('publication_id', joined.claimed) : update;
          }),
        ]
      : []),
  ];
}

/** Counts the publication for the campaign. The stream counts new vouchers. */
function counted({ project, now }: Reading, { campaign }: PublicationTarget): Effect[] {
  return campaign ? countEvents(project.id, campaign.id, now, { publications_succeeded: 1 }) : [];
}

/** Returns the effects of the publication, without those on the customer and their holdings. */
function publishing(
  context: Reading,
  plan: Publishing,
  vouchers: readonly GivenVoucher[],
  item: PublicationItem,
): Effect[] {
  const { project } = context;
  const { giving, target } = plan;
  return [
    insert(publications(project.id, item.id), { ...item, ...placePublication(project.id, item) }),
    ...vouchers.flatMap((one) => giveEffects(context, one, giving)),
    ...claims(context, plan, item.id),
    ...counted(context, target),
    ...recordPublication(project.id, item, target.campaign, giving.occasion),
  ];
}

/** Publishes one voucher to an existing customer, as part of another commit. */
export function publishOne(context: Reading, plan: Publishing, voucher: GivenVoucher): Effect[] {
  const item = publicationOf(context, plan, [voucher]);
  const holding = holdingEffect(context.project.id, plan.giving.customerId, voucher.item, item.created_at);
  return [...publishing(context, plan, [voucher], item), holding];
}

function effectsOf(context: Writing, plan: Plan, vouchers: readonly GivenVoucher[], item: PublicationItem): Effect[] {
  const { project } = context;
  const { customer, giving } = plan;
  const { occasion, customerId } = giving;
  const getsCard = item.voucher_type === 'LOYALTY_CARD';
  const effects = [
    ...publishing(context, plan, vouchers, item),
    ...writeUpsert(context, customer, occasion, { getsCard }),
  ];
  const holdings = vouchers.map((one) => holdingEffect(project.id, customerId, one.item, item.created_at));
  const room = maxWrites - mergeEffects(effects).length;
  if (holdings.length <= room) return [...effects, ...holdings];
  return [...effects, ...holdings.slice(0, room - 1), holdLater(project.id, item, room - 1, occasion.now)];
}

/** Commits. Returns `again` if another request was faster. A single lost voucher is replaced immediately. */
export async function giveVouchers(context: Writing, plan: Plan): Promise<PublicationItem | Again> {
  const { target, giving } = plan;
  const { customerId, lost } = giving;
  let isRush = false;
  const pool = 'count' in target ? pooled(context, target, () => isRush, plan.asked) : undefined;
  const more = (wanted: number, except: readonly GivenVoucher[]) =>
    pool && 'count' in target ? take(context, target, customerId, pool, { wanted, except }) : [];
  let vouchers = 'item' in target ? [{ item: target.item, isNew: false }] : await more(target.count, []);
  for (;;) {
    lost.clear();
    const item = publicationOf(context, plan, vouchers);
    const done = await commit(context.table, effectsOf(context, plan, vouchers, item)).catch((error: unknown) => {
      throw explainItemSize(error, 'metadata would make the customer or the voucher');
    });
    if (done) return item;
    if (!pool || lost.size === 0) return again;
    isRush = true;
    const kept = vouchers.filter(({ item: { id } }) => !lost.has(id));
    vouchers = [...kept, ...(await more(lost.size, kept))];
  }
}

async function* pooled(
  context: Reading,
  { campaign, count }: FromCampaign,
  isRush = () => false,
  { isFromBrowser }: Pick<AskedPublication, 'isFromBrowser'> = {},
): AsyncGenerator<GivenVoucher> {
  for await (const item of walkFreeVouchers(context, campaign.id, { wanted: count, isRush })) {
    if (!isFromBrowser || isOpenToBrowsers(campaign, item.type)) yield { item, isNew: false };
  }
}

/** Returns a free voucher of the campaign, or a new voucher. 400 if it has no free voucher and makes none. */
export async function findOrMakeVoucher(
  context: Reading,
  campaign: CampaignTerms,
  customerId: string,
): Promise<GivenVoucher> {
  const target = { campaign, count: 1 };
  const [one] = await take(context, target, customerId, pooled(context, target), { wanted: 1, except: [] });
  if (!one) throw noneLeft();
  return one;
}

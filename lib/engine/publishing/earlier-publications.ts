import { heldCards, heldVouchers } from '#engine/vouchers/held-card.ts';
import { campaignJoins, type PublicationItem, publicationSources, publications } from '#engine/vouchers/publication.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import type { AskedPublication } from './publication-body.ts';
import type { PublicationTarget } from './publication-target.ts';

/** Throws 400 `duplicate_source_id` if the publication of the source id was archived and removed, because it cannot be answered again. */
export async function checkNotRemoved({ table, project }: Reading, sourceId: string): Promise<void> {
  const { claim } = await read(table, { claim: publicationSources(project.id, sourceId) });
  if (!claim || (await read(table, { found: publications(project.id, claim.publication_id) })).found) return;
  throw new ServiceError('duplicate_source_id', {
    details: 'source_id was used for a publication that was archived and removed since; send another source_id',
    resource: { id: claim.publication_id, type: 'publication' },
  });
}

export async function findPublicationBySource(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  sourceId: string,
) {
  const { claim } = await read(table, { claim: publicationSources(project.id, sourceId) });
  return claim && (await read(table, { found: publications(project.id, claim.publication_id) })).found;
}

/**
 * Returns whether the publication belongs to the customer. A request without an id and a source id cannot be
 * distinguished from the first request.
 */
function isOfCustomer({ customer }: AskedPublication, { customer_id }: PublicationItem, customerId: string): boolean {
  return customer_id === customerId || !(customer.id || customer.source_id);
}

function isOfTarget(target: PublicationTarget, { asked, vouchers: given, campaign_id }: PublicationItem): boolean {
  if ('item' in target) return asked === 'voucher' && given.some(({ id }) => id === target.item.id);
  return asked === 'campaign' && campaign_id === target.campaign.id;
}

/** Answers a repeated source id with its first publication. 400 `duplicate_source_id` for another request. */
export function checkRepeated(
  asked: AskedPublication,
  target: PublicationTarget,
  customerId: string,
  first: PublicationItem,
): void {
  if (isOfCustomer(asked, first, customerId) && isOfTarget(target, first)) return;
  throw new ServiceError('duplicate_source_id', {
    details: 'source_id was used for another customer, or another voucher or campaign',
    resource: { id: first.id, type: 'publication' },
  });
}

/**
 * The customer's vouchers of a campaign. `claimed` is the publication that gave a voucher, even if the customer no
 * longer has it.
 */
export interface Joined {
  readonly claimed: string | undefined;
  readonly publication: PublicationItem | undefined;
  readonly holds: boolean;
}

/** Finds the customer's vouchers. Deleted vouchers do not count, nor do vouchers of which the customer is a referee. */
export async function findJoined(context: Reading, campaignId: string, customerId: string): Promise<Joined> {
  const { table, project } = context;
  const key = campaignJoins(project.id, campaignId, customerId);
  const [early, ...held] = await Promise.all([
    read(table, { claim: key }),
    readChildren(table, heldCards, project.id, customerId),
    readChildren(table, heldVouchers, project.id, customerId),
  ]);
  const ids = held.flat().flatMap((one) => (one.campaign_id === campaignId && !one.referee ? [one.voucher_id] : []));
  // A simultaneous publication may commit between these reads, and its claim then exists by now.
  const { claim } = ids.length > 0 && !early.claim ? await read(table, { claim: key }) : early;
  const claimed = claim?.publication_id;
  const { publication, items } = await read(table, {
    publication: claimed === undefined ? undefined : publications(project.id, claimed),
    items: ids.slice(0, 90).map((id) => vouchers(project.id, id)),
  });
  // The read of the customer's vouchers may have missed a simultaneous publication, after which the customer must not
  // get a second voucher.
  const unseen = publication?.vouchers.filter(({ id }) => !ids.includes(id)) ?? [];
  const { given } = await read(table, { given: unseen.map(({ id }) => vouchers(project.id, id)) });
  const own = new Set([...items, ...given].flatMap((item) => (item?.holder_id === customerId ? [item.id] : [])));
  const isHeld = publication?.vouchers.some(({ id }) => own.has(id));
  return { claimed, publication: isHeld ? publication : undefined, holds: own.size > 0 };
}

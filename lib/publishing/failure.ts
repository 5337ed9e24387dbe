import { countOf } from '../campaigns/counters.ts';
import { type ErrorKey, errorCatalogue, ServiceError } from '../core/errors.ts';
import { newTimedId } from '../core/ids.ts';
import type { CustomerItem } from '../customers/customer.ts';
import type { Writing } from '../http/context.ts';
import type { Occasion } from '../ledger/activities/activity.ts';
import { commitApart, insert } from '../table/effects.ts';
import { type PublicationItem, publicationPlaces, publications } from '../vouchers/publication.ts';
import type { Asked } from './publication-body.ts';
import type { Target } from './target.ts';
import { publicationActivities } from './tell.ts';

/** Errors that mean that this customer gets nothing now. Other errors mean that the request is wrong. */
const noted: readonly ErrorKey[] = [
  'voucher_already_published',
  'voucher_cannot_be_published',
  'no_voucher_suitable_for_publication',
];

interface About {
  readonly asked: Asked;
  readonly target: Target;
  /** A failed attempt must not create the customer. */
  readonly customer: CustomerItem | undefined;
  readonly occasion: Occasion;
}

/** Stores a failed publication in the lists, and refuses it nevertheless. */
export async function noteFailure<R>(
  { table, project, now }: Writing,
  { asked, target, customer, occasion }: About,
  run: () => Promise<R>,
): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError && noted.includes(error.key))) throw error;
    const { campaign } = target;
    const item: PublicationItem = {
      id: newTimedId('publication', now),
      created_at: now.toISOString(),
      ...(customer ? { customer_id: customer.id } : {}),
      ...(customer?.source_id ? { tracking_id: customer.source_id } : {}),
      channel: asked.channel,
      ...(asked.sourceId === undefined ? {} : { source_id: asked.sourceId }),
      result: 'FAILURE',
      failure_code: error.key,
      failure_message: errorCatalogue[error.key].message,
      vouchers: [],
      ...(campaign ? { campaign_id: campaign.id, campaign: campaign.name } : {}),
      asked: 'item' in target ? 'voucher' : 'campaign',
      metadata: asked.metadata,
    };
    await commitApart(table, [
      insert(publications(project.id, item.id), { ...item, ...publicationPlaces(project.id, item) }),
      ...(campaign ? countOf(project.id, campaign.id, now, { publications_failed: 1 }) : []),
      ...publicationActivities(project.id, item, campaign, occasion),
    ]);
    throw error;
  }
}

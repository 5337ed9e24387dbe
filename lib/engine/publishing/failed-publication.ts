import { countEvents } from '#engine/campaigns/counters.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { type PublicationItem, placePublication, publications } from '#engine/vouchers/publication.ts';
import { type ErrorKey, errorCatalogue, ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import type { Writing } from '#kernel/http/context.ts';
import { ignoreBusyTable } from '#kernel/table/conflicts.ts';
import { commitApart, insert } from '#kernel/table/effects.ts';
import { recordPublication } from './publication-activities.ts';
import type { AskedPublication } from './publication-body.ts';
import type { PublicationTarget } from './publication-target.ts';

/** Errors that mean that this customer gets nothing now. Other errors mean that the request is wrong. */
const noted: readonly ErrorKey[] = [
  'voucher_already_published',
  'voucher_cannot_be_published',
  'no_voucher_suitable_for_publication',
  'invalid_code_config',
];

interface About {
  readonly asked: AskedPublication;
  readonly target: PublicationTarget;
  /** A failed attempt must not create the customer. */
  readonly customer: CustomerItem | undefined;
  readonly occasion: Occasion;
}

/** Stores a failed publication in the lists, and refuses it nevertheless. A busy table does not change the answer. */
export async function notePublicationFailure<R>(
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
    const note = commitApart(table, [
      insert(publications(project.id, item.id), { ...item, ...placePublication(project.id, item) }),
      ...(campaign ? countEvents(project.id, campaign.id, now, { publications_failed: 1 }) : []),
      ...recordPublication(project.id, item, campaign, occasion),
    ]);
    await ignoreBusyTable(note);
    throw error;
  }
}

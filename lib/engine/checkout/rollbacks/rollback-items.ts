import { type ErrorKey, errorCatalogue } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import type { Writing } from '#kernel/http/context.ts';
import { omitEmpty } from '../orders/line.ts';
import type { RedeemedOrder } from '../orders/redeemed-order.ts';
import { copyFigures } from '../redemptions/records.ts';
import type { RedemptionItem } from '../redemptions/redemption.ts';
import { acceptTrackingId } from '../request/tracking-id.ts';
import type { AskedRollback } from './rollback-body.ts';
import type { RolledBack } from './rollback-effects.ts';

function channelOf({ caller }: Writing): RedemptionItem['channel'] {
  return { channel_id: caller.appId, channel_type: 'API' };
}

/** Returns the fields that a rollback copies from its redemption. */
function kept({ project }: Writing, original: RedemptionItem, asked: AskedRollback) {
  const { related_object_type, related_object_id, related_object_parent_id, campaign, voucher_code } = original;
  const metadata = asked.metadata
    ? mergeMetadata(
        { place: 'metadata', schema: project.schemas('redemption') },
        original.metadata ?? {},
        asked.metadata,
      )
    : original.metadata;
  return {
    object: 'redemption_rollback' as const,
    redemption: original.id,
    ...omitEmpty({
      customer_id: original.customer_id,
      tracking_id: asked.tracking_id ? acceptTrackingId(project, asked.tracking_id) : original.tracking_id,
      reason: asked.reason,
      metadata,
      related_object_type,
      related_object_id,
      related_object_parent_id,
      campaign,
      voucher_code,
      voucher_type: original.voucher_type,
    }),
  };
}

/** Makes a successful rollback. `order` is the order afterwards. */
export function newRollback(
  context: Writing,
  original: RedemptionItem,
  asked: AskedRollback,
  order: RedeemedOrder | undefined,
): RolledBack {
  const { now } = context;
  const { amount, gift_credits, points, reward, redemptions } = original;
  const less = (taken: number | undefined) => (taken === undefined ? undefined : -taken || 0);
  const rollback: RedemptionItem = {
    id: newTimedId('rollback', now),
    date: now.toISOString(),
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    channel: channelOf(context),
    ...kept(context, original, asked),
    ...omitEmpty({ amount: less(amount), gift_credits: less(gift_credits), points: less(points), reward, order }),
    // Each child has its own rollback record, and this record is their parent.
    ...(redemptions ? { redemptions: [] } : {}),
  };
  return { original, rollback };
}

/** Makes the rollback of one of several. It has the order's figures, and the parent has the lines. */
export function buildChildRollback(parent: RedemptionItem, child: RolledBack): RolledBack {
  if (!parent.order) return child;
  const { id, source_id = null, object } = parent.order;
  const order = { id, source_id, ...copyFigures(parent.order), items: [], metadata: {}, object };
  return { ...child, rollback: { ...child.rollback, order, parent_rollback: parent.id } };
}

/** Makes a failed rollback. */
export function buildFailedRollback(
  context: Writing,
  original: RedemptionItem,
  asked: AskedRollback,
  key: ErrorKey,
): RedemptionItem {
  const { now } = context;
  return {
    id: newTimedId('failed_rollback', now),
    date: now.toISOString(),
    result: 'FAILURE',
    status: 'FAILED',
    channel: channelOf(context),
    failure_code: key,
    failure_message: errorCatalogue[key].message,
    ...kept(context, original, { ...asked, metadata: undefined }),
  };
}

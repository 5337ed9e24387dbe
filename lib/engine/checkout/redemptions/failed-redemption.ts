import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { errorCatalogue, ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import type { Writing } from '#kernel/http/context.ts';
import { ignoreBusyTable } from '#kernel/table/conflicts.ts';
import { commitApart } from '#kernel/table/effects.ts';
import type { Checkout } from '../engine/checkout.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import { chooseMessage, explainRefusal, showName } from '../request/show-redeemable.ts';
import { countCustomerFigures, keepRecords } from './figures.ts';
import { type About, buildFailed, nameRedeemable } from './records.ts';
import { recordRedemption } from './redemption-activities.ts';

/** Records refused attempts, which change nothing else. */

type Decided = Checkout<FoundRedeemable>;

function firstRefused({ considered }: Decided) {
  for (const { redeemable, outcome } of considered) {
    if (outcome.status === 'INAPPLICABLE') return { one: redeemable, refusal: outcome.refusal };
  }
  return undefined;
}

function noneApplies(): ServiceError {
  return new ServiceError('no_applicable_redeemables', {
    details: 'none of the redeemables can be used on this order',
  });
}

/**
 * Stores an invalid redemption as a failed redemption. Unknown codes are not stored, because guesses would fill the
 * table. A busy table does not change the answer, which then names no record. Returns the error for the caller.
 */
export async function keepFailure(
  context: Writing,
  about: About,
  decided: Decided,
  occasion: Occasion,
): Promise<ServiceError> {
  const { project, table, now } = context;
  const { gathered } = about;
  const isPartial = gathered.stackingRules.redeemables_application_mode === 'PARTIAL';
  const refused = firstRefused(decided);
  const several = gathered.redeemables.length > 1;
  const failed = refused && !(isPartial && several) ? refused : undefined;
  if (failed?.refusal.key === 'not_found' && !failed.refusal.missing) {
    const { id, object: type } = showName(failed.one);
    const details = failed.refusal.details ?? '';
    return new ServiceError('not_found', { details, resource: { id, type }, redeemable: { id, type } });
  }
  const key = failed?.refusal.key ?? noneApplies().key;
  const id = newTimedId('failed_redemption', now);
  const text = failed ? chooseMessage(failed.refusal, failed.one) : errorCatalogue[key].message;
  const item = buildFailed(about, id, failed, { key, message: text });
  const customer = gathered.customer?.before;
  const kept = [
    ...keepRecords(project.id, [item]),
    ...countCustomerFigures(project.id, customer?.id, [item]),
    ...recordRedemption(project.id, item, occasion, failed?.one),
  ];
  // An automatic attempt is not recorded. No client has requested it, and it fails if another request was faster.
  const note = context.caller.automatic ? undefined : await ignoreBusyTable(commitApart(table, kept));
  const named = note || context.caller.automatic ? { resource: { id, type: 'redemption' } } : {};
  if (!failed) return new ServiceError(key, { details: noneApplies().details, ...named });
  const { message } = failed.refusal;
  const details = explainRefusal(failed.refusal, failed.one);
  return new ServiceError(key, { details, ...named, redeemable: nameRedeemable(failed.one), text, words: message });
}

import { formatDay } from '../../core/calendar.ts';
import type { Checkout } from '../engine/checkout.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import { readCampaignId } from '../request/targets.ts';

/** Counts validations for the summaries of campaigns without a write, in the request's log line (docs/operations.md#counted). */

/** The name of the field in the log line. */
export const validatedField = 'validated';

/** The numbers of applied and refused redeemables, by campaign id. */
export type Tally = Readonly<Record<string, readonly [succeeded: number, failed: number]>>;

/** The note of a validating request in its log line, and the time of the request in the zone of its project. */
export interface Noting {
  readonly now: Date;
  readonly note: (fields: Readonly<Record<string, unknown>>) => void;
}

interface Judged {
  readonly redeemable: Pick<FoundRedeemable, 'target'>;
  readonly applies: boolean;
}

function tallyOf(judged: readonly Judged[]): Tally {
  const counts = new Map<string, [number, number]>();
  for (const { redeemable, applies } of judged) {
    const id = readCampaignId(redeemable.target);
    if (id === undefined) continue;
    const [succeeded, failed] = counts.get(id) ?? [0, 0];
    counts.set(id, applies ? [succeeded + 1, failed] : [succeeded, failed + 1]);
  }
  return Object.fromEntries(counts);
}

/** Notes the outcome of each redeemable for its campaign. A redeemable without a campaign counts nowhere. */
export function noteValidated({ note, now }: Noting, judged: readonly Judged[]): void {
  const tally = tallyOf(judged);
  if (Object.keys(tally).length > 0) note({ [validatedField]: tally, validated_on: formatDay(now) });
}

/** Notes the outcomes of a checkout. A redeemable that was left out counts nowhere. */
export function noteConsidered(noting: Noting, { considered }: Pick<Checkout<FoundRedeemable>, 'considered'>): void {
  noteValidated(
    noting,
    considered
      .filter(({ outcome }) => outcome.status !== 'SKIPPED')
      .map(({ redeemable, outcome }) => ({ redeemable, applies: outcome.status === 'APPLICABLE' })),
  );
}

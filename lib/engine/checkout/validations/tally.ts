import { formatDay } from '#kernel/core/calendar.ts';
import type { Caller } from '#kernel/http/context.ts';
import type { Checkout } from '../engine/checkout.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import { readCampaignId } from '../request/targets.ts';

/** Counts validations for the summaries of campaigns without a write, in the request's log line (docs/operations.md#counted). */

/** The field that each line of a validation has. A filter of the log reads texts, but no objects. */
export const validatedOnField = 'validated_on';

/** The numbers of applied and refused redeemables, by campaign id. */
type Tally = Readonly<Record<string, readonly [succeeded: number, failed: number]>>;

/**
 * The channel of an operator's screen. An operator who looks at a code must not count as a customer who tries it
 * (docs/checkout.md#looking).
 */
const lookingChannel = 'tessera-console';

/** The note of a validating request in its log line, and the time of the request in the zone of its project. */
export interface Noting {
  readonly now: Date;
  readonly caller?: Pick<Caller, 'channel' | 'address'> | undefined;
  readonly note: (fields: Readonly<Record<string, unknown>>) => void;
}

/** A refused redeemable. It has no code, because logs contain no codes, and no id if the sent id or code is unknown. */
type NotedRefusal = readonly [type: string, id: string | null, campaignId: string | null, reason: string];

interface Judged {
  readonly redeemable: Pick<FoundRedeemable, 'target'>;
  readonly applies: boolean;
  /** The reason of a refusal that reports show. */
  readonly reason?: string | undefined;
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

function listRefusals(judged: readonly Judged[]): NotedRefusal[] {
  return judged.flatMap(({ redeemable: { target }, reason }): NotedRefusal[] => {
    if (reason === undefined) return [];
    const type = target.asked.object === 'voucher' ? 'voucher' : 'promotion_tier';
    return [[type, target.voucher?.id ?? target.tier?.id ?? null, readCampaignId(target) ?? null, reason]];
  });
}

/** Returns whether an operator only looks. The key of a page is public, so its calls count under any name. */
const isLooking = ({ caller }: Noting) =>
  caller?.address === undefined && caller?.channel?.toLowerCase() === lookingChannel;

/** Notes outcomes for campaigns and reports, unless an operator only looks. A redeemable without a campaign counts in reports alone. */
export function noteValidated(noting: Noting, judged: readonly Judged[]): void {
  if (isLooking(noting)) return;
  const { note, now } = noting;
  const tally = tallyOf(judged);
  const refusals = listRefusals(judged);
  const hasTally = Object.keys(tally).length > 0;
  if (!hasTally && refusals.length === 0) return;
  note({
    ...(hasTally ? { validated: tally } : {}),
    ...(refusals.length > 0 ? { refused: refusals } : {}),
    [validatedOnField]: formatDay(now),
  });
}

/** Notes the outcomes of a checkout. A redeemable that was left out counts nowhere. */
export function noteConsidered(noting: Noting, { considered }: Pick<Checkout<FoundRedeemable>, 'considered'>): void {
  noteValidated(
    noting,
    considered
      .filter(({ outcome }) => outcome.status !== 'SKIPPED')
      .map(({ redeemable, outcome }) => ({
        redeemable,
        applies: outcome.status === 'APPLICABLE',
        reason: outcome.status === 'INAPPLICABLE' ? outcome.refusal.key : undefined,
      })),
  );
}

import * as v from 'valibot';
import { type LogEvent, readLogLine } from '#engine/campaigns/count-validations.ts';
import { dateTime } from '#kernel/core/schema.ts';
import { type Fact, makeFact } from './fact-tables.ts';

/** The part of a log line that says what a validation refused (`lib/engine/checkout/validations/tally.ts`). */
const line = v.object({
  time: dateTime,
  project_id: v.string(),
  refused: v.array(v.tuple([v.string(), v.nullable(v.string()), v.nullable(v.string()), v.string()])),
});

/**
 * Derives facts from the log, because a validation writes nothing to the table. The id of an event in the log stays the
 * same however often the event is delivered, so its facts count once.
 */
export function findRefusalFacts(events: readonly LogEvent[]): Fact[] {
  return events.flatMap(({ id, message }) => {
    const found = readLogLine(message, 'refused', line);
    if (!found) return [];
    return found.refused.map(([type, redeemableId, campaignId, reason], index) =>
      makeFact('refusals', found.project_id, {
        fact_id: `${id}-${index}`,
        at_ms: Date.parse(found.time),
        redeemable_type: type,
        redeemable_id: redeemableId,
        campaign_id: campaignId,
        failure_code: reason,
      }),
    );
  });
}

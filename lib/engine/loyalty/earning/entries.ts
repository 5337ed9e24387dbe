import * as v from 'valibot';
import { activityTypes } from '#engine/ledger/activities/activity.ts';
import { cards } from '#engine/ledger/card.ts';
import { earnedBy, earnedWith, earningEvent } from '#engine/ledger/earning-cause.ts';
import { classifyEvent, orderPaid } from '#engine/ledger/earning-events.ts';
import { pendingPoints, pendingPointsItem, placePendingPoints } from '#engine/ledger/pending-points.ts';
import { defined } from '#kernel/core/defined.ts';
import { date, dateTime, identifier, positiveInteger, reference } from '#kernel/core/schema.ts';
import { makePointer } from '#kernel/kit/entries/item-write.ts';
import { describeList, refer } from '#kernel/kit/entries/list.ts';
import { dueAttributes } from '#kernel/table/due.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { pendingPointsReply } from '../pending-points.ts';

/** Refers to the event in the event schema, which has no automatic events. */
const toEvent = (event: string | undefined) =>
  event !== undefined && classifyEvent(event) === 'custom' ? refer('event', 'event_schema', event) : [];

/** Accepts a day, because replies show the day alone. */
const momentOrDay = v.union([
  dateTime,
  v.pipe(
    date,
    v.transform((day) => `${day}T00:00:00.000Z`),
  ),
]);

const pendingEntry = v.object({
  id: v.optional(identifier),
  code: reference,
  points: positiveInteger,
  state: v.optional(pendingPointsItem.entries.state, 'PENDING'),
  created_at: v.optional(dateTime),
  /** The time when they become points of the card. Without it an operator decides. */
  activates_at: v.optional(momentOrDay),
  earning_rule_id: v.optional(reference),
  banner: pendingPointsItem.entries.banner,
  ...earnedWith,
  event: v.optional(reference),
  group_id: pendingPointsItem.entries.group_id,
  order: pendingPointsItem.entries.order,
  expiration_rules: pendingPointsItem.entries.expiration_rules,
});

const shownDetails = v.object({
  ...v.partial(v.object(earningEvent)).entries,
  earning_rule: v.optional(earnedBy),
  ...earnedWith,
  order: pendingPointsItem.entries.order,
});

/** Returns the fields of an entry that replies show in `details`. */
function readDetails({ event, custom_event, earning_rule: rule, ...others }: v.InferOutput<typeof shownDetails>) {
  const happened = custom_event ?? event;
  return defined({
    event: happened?.type === activityTypes.orderPaid ? orderPaid : happened?.type,
    group_id: happened?.id ?? undefined,
    earning_rule_id: rule?.id,
    banner: rule?.source.banner ?? undefined,
    ...v.parse(v.object({ ...earnedWith, order: pendingPointsItem.entries.order }), others),
  });
}

const coded = v.object({ code: v.string() });

/** The part of a card that is known before it is read. */
const ofCampaign = v.object({ campaign_id: v.nullish(v.string()) });

export const pendingPointsEntries = describeList('pending_points', pendingEntry, {
  called: 'pending points',
  number: 'many',
  stage: 3,
  names: ['id'],
  prefix: 'lopp_',
  shown: pendingPointsReply,
  fromReply({ voucher_id, details, created_at, activates_at, ...reply }) {
    const said = v.safeParse(shownDetails, details);
    const moments = { created_at: created_at ?? undefined, activates_at: activates_at ?? undefined };
    return {
      ...defined({ code: voucher_id, ...moments }),
      ...(said.success ? readDetails(said.output) : {}),
      ...reply,
    };
  },
  references: (one) => [
    refer('code', 'vouchers', one.code, ['code', 'id']),
    refer('earning_rule_id', 'earning_rules', one.earning_rule_id),
    toEvent(one.event),
  ],
  addends: ({ code, state, points }) =>
    state === 'PENDING' ? [{ sum: `card ${code}`, place: 'points', amount: points }] : [],
  lookups: ({ code }, projectId, voucherId) => [cards(projectId, voucherId(code))],
  items({ code, ...one }, { id, projectId, voucherId, at: known }) {
    const cardId = voucherId(code);
    const key = pendingPoints(projectId, cardId, id);
    const pending = one.state === 'PENDING' ? one.points : 0;
    const { activates_at: at } = one;
    const due = pending === 0 || at === undefined ? {} : { project_id: projectId, ...dueAttributes(key, at) };
    const { campaign_id } = v.parse(ofCampaign, known(cards(projectId, cardId)) ?? {});
    const item = { ...one, id, voucher_id: cardId, campaign_id };
    return [
      {
        // Stored points belong to the card, which a load does not change.
        ...makePointer(key, { ...item, ...placePendingPoints(projectId, item), ...due }),
        counted: [{ key: cards(projectId, cardId), attribute: 'pending_points', by: pending, ofItem: true }],
      },
    ];
  },
  kinds: [kinds.pendingPoints],
  needs: (item, projectId) => [cards(projectId, String(item.voucher_id))],
  entries({ voucher_id }, { state, object: _, ...plain }, { projectId, at }) {
    const card = at(cards(projectId, String(voucher_id)));
    return card ? [{ ...plain, ...v.parse(coded, card), ...(state === 'PENDING' ? {} : { state }) }] : [];
  },
});

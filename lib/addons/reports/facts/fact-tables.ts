/**
 * Describes the tables of facts. A fact is a row that never changes: an event, or the state of an object after a change.
 * Columns name their units: `_minor` is minor currency units, `_ms` is milliseconds since 1970 in UTC.
 */

export interface FactColumn {
  readonly type: 'text' | 'integer' | 'boolean';
  readonly words: string;
}

const text = (words: string) => ({ type: 'text', words }) as const;
const integer = (words: string) => ({ type: 'integer', words }) as const;
const boolean = (words: string) => ({ type: 'boolean', words }) as const;

const id = { fact_id: text('The id by which a repeated fact is recognised.') };
const event = { ...id, at_ms: integer('The time of the event.') };
/** The partition follows the creation, so that one partition has all states of an object. */
const state = {
  ...id,
  version: text('Orders the states of one object. The greatest version is the latest state.'),
  at_ms: integer('The time at which the object was created. 0 if it is unknown.'),
};

const campaign = {
  campaign_id: text('The campaign.'),
  campaign_name: text('The name of the campaign at that time.'),
};

const entry = {
  ...event,
  entry_number: integer('The number of the entry in the ledger of its card.'),
  type: text('The type of the ledger entry.'),
  card_id: text('The card.'),
  code: text('The code of the card.'),
  ...campaign,
  order_id: text('The order that caused the entry.'),
  redemption_id: text('The redemption that caused the entry.'),
  rollback_id: text('The rollback that caused the entry.'),
  channel: text('The channel of the request.'),
};

export const factTables = {
  redemptions: {
    ...event,
    event: text('REDEMPTION or ROLLBACK.'),
    result: text('SUCCESS or FAILURE.'),
    failure_code: text('The reason of a failure.'),
    redemption_id: text('The redemption, also of a rollback.'),
    request_id: text('The redemption of the whole request. Several redeemables of a request share it.'),
    redeemable_type: text('voucher or promotion_tier.'),
    redeemable_id: text('The voucher or promotion tier.'),
    code: text('The code of the voucher.'),
    voucher_type: text('The type of the voucher.'),
    ...campaign,
    customer_id: text('The customer.'),
    order_id: text('The order.'),
    channel_type: text('USER, API or AUTO_REDEEM.'),
    channel_id: text('The app key of the request.'),
    uses: integer('1 for a redemption, -1 for a rollback, 0 for a failure.'),
    discount_minor: integer("This redeemable's share of the discount. Negative in a rollback, 0 for cards."),
    credits_minor: integer('The credits of a gift card. Negative in a rollback.'),
    points: integer('The points of a loyalty card. Negative in a rollback.'),
    order_amount_minor: integer("The order's amount before discounts. Negative in a rollback."),
    order_total_minor: integer("The order's amount after discounts. Negative in a rollback."),
  },
  refusals: {
    ...event,
    redeemable_type: text('voucher or promotion_tier.'),
    redeemable_id: text('The voucher or promotion tier. Empty if nothing has the code or id that was sent.'),
    campaign_id: text('The campaign.'),
    failure_code: text('The reason for which a validation refused the redeemable.'),
  },
  points: {
    ...entry,
    points: integer('The change of the balance.'),
    balance_points: integer('The balance after the change.'),
    earning_rule_id: text('The earning rule.'),
    reward_id: text('The reward.'),
    pending_points_id: text('The pending points that became points.'),
  },
  credits: {
    ...entry,
    amount_minor: integer('The change of the balance.'),
    balance_minor: integer('The balance after the change.'),
  },
  tier_moves: {
    ...event,
    move: text('joined, upgraded, downgraded, left or prolonged.'),
    card_id: text('The card of the member.'),
    campaign_id: text('The loyalty programme.'),
    from_tier_id: text('The tier before.'),
    to_tier_id: text('The tier afterwards.'),
  },
  publications: {
    ...event,
    publication_id: text('The publication. It has a fact for each of its vouchers.'),
    result: text('SUCCESS or FAILURE.'),
    failure_code: text('The reason of a failure.'),
    ...campaign,
    code_id: text('The voucher.'),
    code: text('The code of the voucher.'),
    voucher_type: text('The type of the voucher.'),
    customer_id: text('The customer.'),
    channel: text('The channel of the publication.'),
  },
  orders: {
    ...state,
    order_id: text('The order.'),
    status: text('The status of the order.'),
    paid_at_ms: integer('The time at which the order was first paid or fulfilled.'),
    amount_minor: integer('The amount before discounts.'),
    discount_minor: integer('All discounts.'),
    total_minor: integer('The amount after discounts.'),
    customer_id: text('The customer.'),
    redemptions: integer('The redemptions on the order that are not rolled back.'),
    is_deleted: boolean('The order was deleted.'),
  },
  codes: {
    ...state,
    code_id: text('The voucher.'),
    code: text('The code of the voucher.'),
    type: text('The type of the voucher.'),
    campaign_id: text('The campaign.'),
    opening_points: integer('The points with which the card began.'),
    gift_amount_minor: integer('The credits with which the gift card began, if they are its own.'),
    is_deleted: boolean('The voucher was deleted.'),
    deleted_at_ms: integer('The time of the deletion.'),
    left_points: integer('The points that a deleted card had.'),
    category_id: text('The category of the voucher itself.'),
  },
  point_lots: {
    ...state,
    lot_id: text('The card and the last day of the points.'),
    card_id: text('The card.'),
    campaign_id: text('The loyalty programme.'),
    expires_on: text('The last day of the points in UTC. Empty if they never expire.'),
    points: integer('The points of the card that have this last day.'),
  },
  pending_points: {
    ...state,
    pending_points_id: text('The pending points.'),
    card_id: text('The card.'),
    campaign_id: text('The loyalty programme.'),
    state: text('PENDING, ACTIVATED or CANCELED.'),
    points: integer('The points.'),
  },
  projects: {
    ...state,
    project_id: text('The project.'),
    timezone: text('The time zone in which the days of the project count.'),
  },
  customers: {
    ...state,
    customer_id: text('The customer.'),
    is_deleted: boolean('The customer was deleted.'),
  },
  campaigns: {
    ...state,
    campaign_id: text('The campaign.'),
    name: text('The name.'),
    category_id: text('The category.'),
    is_deleted: boolean('The campaign was deleted.'),
  },
  promotion_tiers: {
    ...state,
    promotion_tier_id: text('The promotion tier.'),
    campaign_id: text('The campaign.'),
    category_id: text('The category of the tier itself.'),
    is_deleted: boolean('The tier was deleted.'),
  },
  categories: {
    ...state,
    category_id: text('The category.'),
    name: text('The name.'),
    is_deleted: boolean('The category was deleted.'),
  },
  segments: {
    ...state,
    segment_id: text('The segment.'),
    name: text('The name.'),
    type: text('static, auto-update or passive. A passive segment keeps no members.'),
    is_deleted: boolean('The segment was deleted.'),
  },
  segment_members: {
    ...state,
    member_id: text('The segment and the customer.'),
    segment_id: text('The segment.'),
    customer_id: text('The customer.'),
    is_deleted: boolean('The customer has left the segment.'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FactColumn>>>>;

export type FactTable = keyof typeof factTables;

export type FactRow<T extends FactTable> = {
  readonly [C in keyof (typeof factTables)[T]]: (typeof factTables)[T][C] extends { type: infer K }
    ? (K extends 'integer' ? number : K extends 'boolean' ? boolean : string) | null
    : never;
};

/** A row of a table, in the partition of its project and day. */
export interface Fact {
  readonly table: FactTable;
  readonly project: string;
  /** The day of `at_ms` in UTC. */
  readonly day: string;
  readonly row: Readonly<Record<string, string | number | boolean | null>>;
}

export const factTableNames = Object.keys(factTables) as readonly FactTable[];

const longAgo = new Date(0);

/** Makes a fact of a table that the types do not know. Its partition follows from its time alone, also if it is repeated. */
export function placeFact(table: FactTable, project: string, row: Fact['row']): Fact {
  const at = typeof row.at_ms === 'number' ? new Date(row.at_ms) : longAgo;
  return { table, project, day: at.toISOString().slice(0, 10), row };
}

/** Makes a fact with the columns of its table. */
export function makeFact<T extends FactTable>(table: T, project: string, row: FactRow<T>): Fact {
  return placeFact(table, project, row);
}

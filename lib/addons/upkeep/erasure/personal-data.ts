/**
 * Lists the stored personal data: each kind of item names its personal fields, and what an erasure does with them. A missing kind fails a
 * test.
 */

type Fate =
  /** The job removes the fields and keeps the rest. */
  | 'erased'
  /** The item is removed with its customer. */
  | 'removed'
  /** The item is sealed with a key that only its caller has. */
  | 'sealed'
  /** The item expires, and nothing in it identifies the person. */
  | 'expires';

export interface PersonalData {
  /** The paths from the attribute inwards. `[]` means each element of a list. */
  readonly fields: readonly string[];
  readonly fate: Fate;
}

const removed: PersonalData = { fields: ['all'], fate: 'removed' };

/** Kinds with personal fields, by the names of their items. */
export const personalData = {
  CUSTOMER: removed,
  CUSTOMER_SOURCE: removed,
  ACTIVITY: removed,
  SEGMENT_MEMBER: removed,
  HELD_CARD: removed,
  HELD_VOUCHER: removed,
  REFEREE: removed,
  CAMPAIGN_ACTIVITIES: removed,
  REDEMPTION: {
    fields: [
      'tracking_id',
      'metadata',
      'session_key',
      'reason',
      'failure_message',
      'listed.tracking_id',
      'order.metadata',
      'order.items[].metadata',
    ],
    fate: 'erased',
  },
  // Only counters of persons, whose keys have the hash of the person.
  RULE_COUNTER: removed,
  ORDER: { fields: ['metadata', 'items[].metadata'], fate: 'erased' },
  ORDER_RETURN: { fields: ['reason', 'metadata'], fate: 'erased' },
  PUBLICATION: { fields: ['tracking_id', 'metadata', 'failure_message', 'listed.tracking_id'], fate: 'erased' },
  FAILED_ROW: { fields: ['source_id', 'message', 'details'], fate: 'erased' },
  WEBHOOK_EVENT: { fields: ['data', 'file'], fate: 'erased' },
  export: { fields: ['parameters'], fate: 'erased' },
  bulk: { fields: ['fault'], fate: 'erased' },
  'erase-person': { fields: ['person'], fate: 'erased' },
  IDEMPOTENCY_KEY: { fields: ['outcome'], fate: 'sealed' },
  WRITES_BEHIND: { fields: ['writes'], fate: 'expires' },
  PAGE_CALLS: { fields: ['address'], fate: 'expires' },
} as const satisfies Readonly<Record<string, PersonalData>>;

type Erased = {
  [K in keyof typeof personalData]: (typeof personalData)[K]['fate'] extends 'erased' ? K : never;
}[keyof typeof personalData];

/** Returns the fields of a kind that the job removes. */
export function listFieldsToErase(kind: Erased): readonly string[] {
  return personalData[kind].fields;
}

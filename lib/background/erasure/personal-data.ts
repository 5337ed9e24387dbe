/**
 * THE table of what is stored of persons: each kind of item says which of its fields are a person's, and what becomes of them when
 * the person is erased. A kind that is missing here fails a test.
 */

type Fate =
  /** The job takes the fields away and leaves the rest. */
  | 'erased'
  /** The item is removed with its customer. */
  | 'removed'
  /** The item is stored under a key that only its caller has. */
  | 'sealed'
  /** The item expires by itself, and has nothing from which the person is found. */
  | 'expires';

export interface PersonalData {
  /** From the attribute inwards; `[]` stands for each element of a list. */
  readonly fields: readonly string[];
  readonly fate: Fate;
}

const removed: PersonalData = { fields: ['all'], fate: 'removed' };

/** Kinds with a person's fields, by the names of their items. */
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
  ORDER: { fields: ['metadata', 'items[].metadata'], fate: 'erased' },
  PUBLICATION: { fields: ['tracking_id', 'metadata', 'failure_message', 'listed.tracking_id'], fate: 'erased' },
  FAILED_ROW: { fields: ['source_id', 'message', 'details'], fate: 'erased' },
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

/** Returns the fields of a kind that the job takes away. */
export function fieldsToErase(kind: Erased): readonly string[] {
  return personalData[kind].fields;
}

import { createHash } from 'node:crypto';

/**
 * THE table. The stack and the local engines both create it from this shape, and every key of it is built below, beside
 * the question that the key answers.
 */
export const tableShape = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Unix time in seconds; removal is late by design (AWS: within days), so readers compare the time as well. */
  timeToLive: 'expiresAt',
  streamView: 'NEW_AND_OLD_IMAGES',
  indexes: {
    /**
     * What happened on this card as its n-th change? Local to the partition, so that it reads consistently: the ledger's own
     * sort key is what makes an entry unique (a merchant's transaction id), which leaves its order to this.
     */
    'by-sequence': { scope: 'local', sortKey: 'sequence', sortKeyType: 'N', projection: 'ALL' },
    /** What happened to this customer, in the order of time? */
    'customer-activities': {
      scope: 'global',
      partitionKey: 'activityOfCustomer',
      sortKey: 'activityAt',
      sortKeyType: 'S',
      projection: 'ALL',
    },
    /** What of it was about this campaign? */
    'campaign-activities': {
      scope: 'global',
      partitionKey: 'activityOfCampaign',
      sortKey: 'activityAt',
      sortKeyType: 'S',
      projection: 'ALL',
    },
    /** What is due to be done without anybody asking: points that lapse or ripen, tiers that end? */
    due: { scope: 'global', partitionKey: 'dueShard', sortKey: 'dueAt', sortKeyType: 'S', projection: 'KEYS_ONLY' },
  },
} as const;

export type IndexName = keyof typeof tableShape.indexes;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** One text for a key, by which keys are compared. */
export function keyText({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}

/** The key of a stored item. */
export function keyOf(item: Readonly<Record<string, unknown>>): Key {
  return { pk: String(item.pk), sk: String(item.sk) };
}

/** Conditions of a write: there is nothing under the key, there is something. */
export const nothingThere = 'attribute_not_exists(pk)';
export const somethingThere = 'attribute_exists(pk)';

/** DynamoDB takes 2,048 bytes of partition key; what a caller sends may be longer, and is then replaced by its digest. */
const plainPart = /^[\w.:-]{1,100}$/;

function part(text: string): string {
  return plainPart.test(text) ? text : digested(text);
}

function digested(text: string): string {
  return `~${createHash('sha256').update(text).digest('base64url')}`;
}

function itemKey(kind: string, ...parts: string[]): Key {
  return { pk: parts.map(part).join('#'), sk: kind };
}

/** Kinds that the stream's worker tells apart, by the sort key. */
export const kinds = {
  campaign: 'CAMPAIGN',
  generationJob: 'GENERATION_JOB',
  generationChunk: 'GENERATION_CHUNK',
  invitationMail: 'INVITATION_MAIL',
} as const;

/** An item of a project under its own partition key: read by its id. */
function projectItem(kind: string, projectId: string, ...ids: string[]): Key {
  return itemKey(kind, projectId, kind, ...ids);
}

const allProjectsKey = { pk: 'PROJECTS' };

export const keys = {
  /** Whose app id is this, and what is the hash of its token? Credentials are read before a project is known. */
  appKey: (appId: string) => itemKey('APP_KEY', 'APP_KEY', appId),
  /** What may this bearer token do, and whose is it? */
  token: (tokenHash: string) => itemKey('TOKEN', 'TOKEN', tokenHash),
  /** Whose management id is this? */
  managementKey: (managementId: string) => itemKey('MANAGEMENT_KEY', 'MANAGEMENT_KEY', managementId),
  /** To which projects is this person invited? Of all projects in one item, so that one write is enough for any number. */
  invitee: (email: string) => itemKey('INVITEE', 'INVITEE', email.toLowerCase()),
  /** Which mail is to be sent for this invitation? */
  invitationMail: (invitationId: string) => itemKey(kinds.invitationMail, kinds.invitationMail, invitationId),

  /** Which projects are there? */
  listedProject: (projectId: string): Key => ({ ...allProjectsKey, sk: `PROJECT#${part(projectId)}` }),
  /** Which app keys does the project have? The keys themselves stand under their ids alone. */
  projectAppKey: (projectId: string, appId: string): Key => ({
    ...projectItem('APP_KEYS', projectId),
    sk: `APP_KEY#${part(appId)}`,
  }),
  /** Which management keys? */
  projectManagementKey: (projectId: string, managementId: string): Key => ({
    ...projectItem('MANAGEMENT_KEYS', projectId),
    sk: `MANAGEMENT_KEY#${part(managementId)}`,
  }),

  /** What did the app key ask for under this key of its own making, and what was it answered? Callers make keys of anything. */
  idempotencyKey: (projectId: string, appId: string, idempotencyKey: string) =>
    projectItem('IDEMPOTENCY_KEY', projectId, appId, digested(idempotencyKey)),

  /** What is the project called, what may it do, what is its secret? */
  project: (projectId: string) => projectItem('PROJECT', projectId),
  /** Which categories does the project have? All in one item, since every voucher and campaign shown needs one of them. */
  categories: (projectId: string) => projectItem('CATEGORIES', projectId),
  /** Which events may be sent, with which metadata? */
  eventSchema: (projectId: string) => projectItem('EVENT_SCHEMA', projectId),

  /** Which voucher has this id? The id is derived from the code (`voucherId`), so that this also answers: which has this code? */
  voucher: (projectId: string, voucherId: string) => projectItem('VOUCHER', projectId, voucherId),
  /** Which campaign has this id? */
  campaign: (projectId: string, campaignId: string) => projectItem(kinds.campaign, projectId, campaignId),
  /** Which campaign bears this name? */
  campaignName: (projectId: string, name: string) => projectItem('CAMPAIGN_NAME', projectId, name),
  /** Which codes are to be generated for the campaign? */
  generationJob: (projectId: string, campaignId: string) => projectItem(kinds.generationJob, projectId, campaignId),
  /** Which part of them is this? A partition of its own each, so that parts come through different shards of the stream. */
  generationChunk: (projectId: string, campaignId: string, index: number) =>
    projectItem(kinds.generationChunk, projectId, campaignId, String(index)),
  /** Which validation rule has this id? */
  validationRule: (projectId: string, ruleId: string) => projectItem('VALIDATION_RULE', projectId, ruleId),
  /** Which customer has this id? */
  customer: (projectId: string, customerId: string) => projectItem('CUSTOMER', projectId, customerId),
  /** Which customer does the client system know by this source id? */
  customerSource: (projectId: string, sourceId: string) => projectItem('CUSTOMER_SOURCE', projectId, sourceId),
  /** Which promotion tier has this id? */
  promotionTier: (projectId: string, tierId: string) => projectItem('PROMOTION_TIER', projectId, tierId),
  /** Which reward has this id? */
  reward: (projectId: string, rewardId: string) => projectItem('REWARD', projectId, rewardId),
  /** Which brand configuration has this id? */
  brand: (projectId: string, brandId: string) => projectItem('BRAND', projectId, brandId),
  /** Which custom role has this id? */
  role: (projectId: string, roleId: string) => projectItem('ROLE', projectId, roleId),
  /** Is this person already a user of the project? Two spellings of an address that differ in case are one person. */
  user: (projectId: string, email: string) => projectItem('USER', projectId, email.toLowerCase()),

  /** Which loyalty tiers does the campaign have? */
  loyaltyTier: (projectId: string, campaignId: string, tierId: string): Key => ({
    ...projectItem('LOYALTY_TIERS', projectId, campaignId),
    sk: `LOYALTY_TIER#${part(tierId)}`,
  }),
  /** Which earning rules does the campaign have? */
  earningRule: (projectId: string, campaignId: string, ruleId: string): Key => ({
    ...projectItem('EARNING_RULES', projectId, campaignId),
    sk: `EARNING_RULE#${part(ruleId)}`,
  }),
  /** Which reward does the campaign have under this id of an assignment? Their order is that of a list, below. */
  rewardAssignment: (projectId: string, campaignId: string, assignmentId: string) =>
    projectItem('REWARD_ASSIGNMENT', projectId, campaignId, assignmentId),
  /** Which points are pending on the card? */
  pendingPoints: (projectId: string, voucherId: string, pendingPointsId: string): Key => ({
    ...keys.voucher(projectId, voucherId),
    sk: `PENDING_POINTS#${part(pendingPointsId)}`,
  }),
  /** Which change of the card's points is this? `id` is what may happen once: its order is the index by sequence's. */
  ledgerEntry: (projectId: string, voucherId: string, id: string): Key => ({
    ...keys.voucher(projectId, voucherId),
    sk: `LEDGER#${part(id)}`,
  }),
  /** Has the card given points away under this transaction id of the merchant's? For ever, and so an entry of the ledger. */
  pointsOut: (projectId: string, voucherId: string, sourceId: string): Key => ({
    ...keys.voucher(projectId, voucherId),
    sk: `LEDGER#OUT#${part(sourceId)}`,
  }),
  /** What happened to the holder of the card that moved no points? */
  cardActivity: (projectId: string, voucherId: string, activityId: string): Key => ({
    ...keys.voucher(projectId, voucherId),
    sk: `ACTIVITY#${part(activityId)}`,
  }),
  /** What happened to the customer? By its id; its order is the indexes'. */
  activity: (projectId: string, customerId: string, activityId: string): Key => ({
    ...keys.customer(projectId, customerId),
    sk: `ACTIVITY#${part(activityId)}`,
  }),
  /** Which loyalty and gift cards does the customer hold? */
  heldCard: (projectId: string, customerId: string, voucherId: string): Key => ({
    ...keys.customer(projectId, customerId),
    sk: `${heldCards}${part(voucherId)}`,
  }),
  /** How many of the customer's own activities are about the campaign? */
  customerCampaign: (projectId: string, customerId: string, campaignId: string): Key => ({
    ...keys.customer(projectId, customerId),
    sk: `CAMPAIGN_ACTIVITIES#${part(campaignId)}`,
  }),
};

/** What begins the partition key of every item of the project, but for its credentials and invitations. */
export function itemsOfProject(projectId: string): { partitionPrefix: string } {
  return { partitionPrefix: `${part(projectId)}#` };
}

/** Of which kind is the item, and of which is the one whose partition it stands in? */
export function kindsOf({ pk, sk }: Key): { kind: string; owner: string } {
  const [kind = ''] = sk.split('#');
  return { kind, owner: ownerOf({ pk, sk }).sk };
}

/** Whose partition does the item stand in: which customer's, which card's? */
export function ownerOf({ pk }: Key): Key {
  const [, kind = ''] = pk.split('#');
  return { pk, sk: kind };
}

/** Every project that was ever loaded. */
export const allProjects = { partition: allProjectsKey.pk };

/** Every app key of the project. */
export function appKeysOf(projectId: string): { partition: string } {
  return { partition: keys.projectAppKey(projectId, '').pk };
}

/** Every management key of the project. */
export function managementKeysOf(projectId: string): { partition: string } {
  return { partition: keys.projectManagementKey(projectId, '').pk };
}

const heldCards = 'HELD_CARD#';

/** Under the customer's key: his item, and after it all that names a card that he holds. */
export function customerAndCards(projectId: string, customerId: string) {
  const { pk, sk } = keys.customer(projectId, customerId);
  return { partition: pk, from: sk, to: `${heldCards}\uffff` };
}

/** Every loyalty tier of the campaign. */
export function loyaltyTiersOf(projectId: string, campaignId: string): { partition: string } {
  return { partition: keys.loyaltyTier(projectId, campaignId, '').pk };
}

/** Every earning rule of the campaign. */
export function earningRulesOf(projectId: string, campaignId: string): { partition: string } {
  return { partition: keys.earningRule(projectId, campaignId, '').pk };
}

/** How many parts the list of what is due has, so that writes to it spread. */
export const dueShards = 16;

/** Partition keys of the indexes. */
export const indexed = {
  customerActivities: (projectId: string, customerId: string) => itemKey('', projectId, customerId).pk,
  campaignActivities: (projectId: string, customerId: string, campaignId: string) =>
    itemKey('', projectId, customerId, campaignId).pk,
  due: (shard: number) => `DUE#${shard}`,
  /** Of all shards the one for this key. */
  dueShardOf: ({ pk }: Key) => indexed.due(createHash('sha256').update(pk).digest().readUInt8(0) % dueShards),
};

/**
 * Partitions that hold an ordered list (`lib/lists/counted-list.ts`): entries that lead to the elements, and counts of them.
 */
export const orderedLists = {
  /** Which promotion tiers does the project have, in this order? */
  promotionTiers: (projectId: string, order: string) => projectItem('PROMOTION_TIERS', projectId, order).pk,
  /** Which of them does the campaign have? */
  campaignPromotionTiers: (projectId: string, campaignId: string, order: string) =>
    projectItem('CAMPAIGN_PROMOTION_TIERS', projectId, campaignId, order).pk,
  /** Which rewards are assigned to the campaign, by time? */
  rewardAssignments: (projectId: string, campaignId: string) =>
    projectItem('REWARD_ASSIGNMENTS', projectId, campaignId).pk,
};

const entryPrefix = 'ENTRY#';
const segmentPrefix = 'SEGMENT#';

/** What stands in such a partition. */
export const listKeys = {
  /** How many elements does the list have? */
  head: (list: string): Key => ({ pk: list, sk: 'HEAD' }),
  /** How many of them have their place between this one and the next segment? */
  segment: (list: string, from: string): Key => ({ pk: list, sk: segmentPrefix + from }),
  /** Which element has this place? */
  entry: (list: string, place: string): Key => ({ pk: list, sk: entryPrefix + place }),
};

/** Behind the last of them: `$` follows `#`. */
export const behindEntries = 'ENTRY$';
export const behindSegments = 'SEGMENT$';

/** The place that an entry has, or from which a segment counts. */
export function placeOf(item: Readonly<Record<string, unknown>>): string {
  const { sk } = keyOf(item);
  return sk.slice(sk.startsWith(entryPrefix) ? entryPrefix.length : segmentPrefix.length);
}

/** Digits of the largest safe integer. */
const integerDigits = 16;

/** A place in an order by these values, the first one first; integers of 0 or more by their size. */
export function placeBy(...values: readonly (string | number)[]): string {
  return values
    .map((value) => (typeof value === 'number' ? String(value).padStart(integerDigits, '0') : part(value)))
    .join('#');
}

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
} as const;

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
  return plainPart.test(text) ? text : `~${createHash('sha256').update(text).digest('base64url')}`;
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
  /** Which rewards are assigned to the campaign? Time order is the sort key's. */
  rewardAssignment: (projectId: string, campaignId: string, createdAt: string, assignmentId: string): Key => ({
    ...projectItem('REWARD_ASSIGNMENTS', projectId, campaignId),
    sk: `REWARD_ASSIGNMENT#${createdAt}#${part(assignmentId)}`,
  }),
  /** Which points are pending on the card? */
  pendingPoints: (projectId: string, voucherId: string, pendingPointsId: string): Key => ({
    ...keys.voucher(projectId, voucherId),
    sk: `PENDING_POINTS#${part(pendingPointsId)}`,
  }),
  /** What happened to the customer? Time order is the sort key's. */
  activity: (projectId: string, customerId: string, createdAt: string, activityId: string): Key => ({
    ...projectItem('ACTIVITIES', projectId, customerId),
    sk: `ACTIVITY#${createdAt}#${part(activityId)}`,
  }),
};

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
    /** Lists of any resource (`lib/table/listing.ts`): which stands in which index is said where the resource is described. */
    gsi1: { partitionKey: 'gsi1pk', sortKey: 'gsi1sk', projection: 'INCLUDE' },
    gsi2: { partitionKey: 'gsi2pk', sortKey: 'gsi2sk', projection: 'INCLUDE' },
    gsi3: { partitionKey: 'gsi3pk', sortKey: 'gsi3sk', projection: 'INCLUDE' },
    gsi4: { partitionKey: 'gsi4pk', sortKey: 'gsi4sk', projection: 'INCLUDE' },
    /** What is due without anybody asking: points that lapse or ripen, tiers that end, work that was begun and is not done? */
    due: { partitionKey: 'dueShard', sortKey: 'dueAt', projection: 'KEYS_ONLY' },
  },
} as const;

/** What an index with the projection INCLUDE has of an item besides its keys: what orders and filters need. */
export const includedAttributes = ['listed'];

export type IndexName = keyof typeof tableShape.indexes;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The key alone, of one that also says what stands under it. */
export function bare({ pk, sk }: Key): Key {
  return { pk, sk };
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

export function part(text: string): string {
  return plainPart.test(text) ? text : digested(text);
}

export function digested(text: string): string {
  return `~${createHash('sha256').update(text).digest('base64url')}`;
}

function itemKey(kind: string, ...parts: string[]): Key {
  return { pk: parts.map(part).join('#'), sk: kind };
}

/** Kinds that are told apart by the sort key where work is handed over. */
export const kinds = {
  campaign: 'CAMPAIGN',
  job: 'JOB',
  voucher: 'VOUCHER',
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
  /** Whose client application id is this, and which pages may send it? */
  clientKey: (clientId: string) => itemKey('CLIENT_KEY', 'CLIENT_KEY', clientId),
  /** To which projects is this person invited? Of all projects in one item, so that one write is enough for any number. */
  invitee: (email: string) => itemKey('INVITEE', 'INVITEE', email.toLowerCase()),
  /** Which mail is to be sent for this invitation? A job of no project alone. */
  invitationMail: (invitationId: string) => itemKey(kinds.job, 'INVITATION_MAIL', invitationId),

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
  /** Which client keys? */
  projectClientKey: (projectId: string, clientId: string): Key => ({
    ...projectItem('CLIENT_KEYS', projectId),
    sk: `CLIENT_KEY#${part(clientId)}`,
  }),

  /** What did the app key ask for under this key of its own making, and what was it answered? Callers make keys of anything. */
  idempotencyKey: (projectId: string, appId: string, idempotencyKey: string) =>
    projectItem('IDEMPOTENCY_KEY', projectId, appId, digested(idempotencyKey)),

  /** What is the project called, what may it do, what is its secret? */
  project: (projectId: string) => projectItem('PROJECT', projectId),

  /** Which part of a campaign's codes is to be generated? A partition of its own each, so that parts come through different shards of the stream. */
  generationChunk: (projectId: string, campaignId: string, index: number) =>
    projectItem(kinds.job, projectId, campaignId, String(index)),
  /** Is this person already a user of the project? Two spellings of an address that differ in case are one person. */
  user: (projectId: string, email: string) => projectItem('USER', projectId, email.toLowerCase()),
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

/** Whose project's is the item? Of items that a project has, not of its credentials. */
export function projectIdOf({ pk }: Key): string {
  return pk.split('#')[0] ?? '';
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

/** Every client key of the project. */
export function clientKeysOf(projectId: string): { partition: string } {
  return { partition: keys.projectClientKey(projectId, '').pk };
}

/** How many parts the list of what is due has, so that writes to it spread. */
export const dueShards = 16;

/** Partition keys of the indexes. */
export const indexed = {
  due: (shard: number) => `DUE#${shard}`,
  /** Jobs that have failed, by time, for an operator. */
  failedJobs: 'FAILED_JOBS',
  /** Of all shards the one for this key. */
  dueShardOf: ({ pk }: Key) => indexed.due(createHash('sha256').update(pk).digest().readUInt8(0) % dueShards),
};

import { hash } from 'node:crypto';

/**
 * THE table. The stack and the local engines both create it from this shape, and every key of it is built by a
 * kind (`lib/table/kind.ts`), which stands beside the schema of its items.
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

/** Names what lets callers in. Roles are told apart by these names (infra/aws/table-grants.ts). */
const credentialNames = ['APP_KEY', 'CLIENT_KEY', 'MANAGEMENT_KEY', 'TOKEN'] as const;
const projectName = 'PROJECT';
const projectsName = 'PROJECTS';

/** Patterns of the partition keys of credentials, tokens and projects, as IAM compares them. */
export const credentialKeys: readonly string[] = [
  ...credentialNames.map((name) => `${name}#*`),
  `*#${projectName}`,
  projectsName,
];

const reserved: ReadonlySet<string> = new Set([...credentialNames, projectName, projectsName]);

/** DynamoDB takes 2,048 bytes of partition key; what a caller sends may be longer, and is then replaced by its digest. */
const plainPart = /^[\w.:-]{1,100}$/;

/** Returns what stands for an id in a key. No id reads like a name by which roles are told apart. */
export function part(text: string): string {
  return plainPart.test(text) && !reserved.has(text) ? text : digested(text);
}

export function digested(text: string): string {
  return `~${hash('sha256', text, 'base64url')}`;
}

/** Kinds that are told apart by the sort key where work is handed over. */
export const kinds = {
  campaign: 'CAMPAIGN',
  job: 'JOB',
  voucher: 'VOUCHER',
} as const;

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

/** How many parts the list of what is due has, so that writes to it spread. */
export const dueShards = 16;

/** Partition keys of the indexes. */
export const indexed = {
  due: (shard: number) => `DUE#${shard}`,
  /** Jobs that have failed, by time, for an operator. */
  failedJobs: 'FAILED_JOBS',
  /** Of all shards the one for this key. */
  dueShardOf: ({ pk }: Key) => indexed.due(hash('sha256', pk, 'buffer').readUInt8(0) % dueShards),
};

import { hash } from 'node:crypto';
import * as v from 'valibot';
import { isDrawnId } from '#kernel/core/ids.ts';
import { kinds } from './kind-names.ts';

/**
 * Describes the table. The stack and the local engines create it from this shape. A kind (`lib/kernel/table/kind.ts`),
 * next to the schema of its items, builds each key.
 */
export const tableShape = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Unix time in seconds. AWS may remove items days late, so readers compare the time as well. */
  timeToLive: 'expiresAt',
  streamView: 'NEW_AND_OLD_IMAGES',
  indexes: {
    /** Lists of any resource (`lib/kernel/table/listing.ts`). A resource's description assigns its lists to indexes. */
    gsi1: { partitionKey: 'gsi1pk', sortKey: 'gsi1sk', projection: 'INCLUDE' },
    gsi2: { partitionKey: 'gsi2pk', sortKey: 'gsi2sk', projection: 'INCLUDE' },
    gsi3: { partitionKey: 'gsi3pk', sortKey: 'gsi3sk', projection: 'INCLUDE' },
    gsi4: { partitionKey: 'gsi4pk', sortKey: 'gsi4sk', projection: 'INCLUDE' },
    /** Items that become due by time: points that expire or activate, tiers that end, unfinished work. */
    due: { partitionKey: 'dueShard', sortKey: 'dueAt', projection: 'KEYS_ONLY' },
  },
} as const;

/** Attributes that an index with the projection INCLUDE has besides the keys. Orders and filters need them. */
export const includedAttributes = ['listed'];

export type IndexName = keyof typeof tableShape.indexes;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The attributes that hold an item's key. */
export const keyEntries = { pk: v.string(), sk: v.string() };

/** Reads the key and the further facts of a message. Throws for any other text. */
export function readMessage(text: string): { key: Key; more: Readonly<Record<string, unknown>> } {
  const { pk, sk, ...more } = v.parse(v.pipe(v.string(), v.parseJson(), v.looseObject(keyEntries)), text);
  return { key: { pk, sk }, more };
}

/** Writes a key as JSON, for a message of a queue. */
export function keyAsJson(key: Key): string {
  return JSON.stringify(stripKey(key));
}

/** Returns the text by which operators name an item that is alone in its partition. */
export function partitionNameOf({ pk }: Key): string {
  return pk;
}

/** Returns the key of such an item, by the kind and the text. */
export function keyByPartitionName(kind: string, name: string): Key {
  return { pk: name, sk: kind };
}

/** Returns the key without the description of its item. */
export function stripKey({ pk, sk }: Key): Key {
  return { pk, sk };
}

/** Returns the key as one text, for comparisons. */
export function keyText({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}

/** Returns the id of an item that one attempt has drawn, so that no other call makes an item with it. */
export function readDrawnId({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' && isDrawnId(id) ? id : undefined;
}

/**
 * Returns whether one attempt has drawn the item's id, which is the last of its key, so that no other call writes the key. The keys of
 * claims and tombstones end with ids of other items, or with ids that callers send.
 */
export function hasDrawnKey({ pk, sk }: Key, item: Readonly<Record<string, unknown>>): boolean {
  return readDrawnId(item) === (sk.includes('#') ? sk : pk).split('#').at(-1);
}

/** Returns the key of a stored item. */
export function keyOf(item: Readonly<Record<string, unknown>>): Key {
  return { pk: String(item.pk), sk: String(item.sk) };
}

/** Conditions of a write: no item has the key, an item has the key. */
export const nothingThere = 'attribute_not_exists(pk)';
export const somethingThere = 'attribute_exists(pk)';

/**
 * Names the kinds that admit callers or define their permissions. Roles distinguish them by name
 * (infra/aws/table-grants.ts).
 */
const credentialNames = [kinds.appKey, kinds.clientKey, kinds.managementKey, kinds.token, kinds.userAccount] as const;
const projectName = kinds.project;
const projectsName = kinds.projects;

/** Patterns of IAM for the partition keys of credentials, tokens and projects. */
export const credentialKeys: readonly string[] = [
  ...credentialNames.map((name) => `${name}#*`),
  `*#${projectName}`,
  projectsName,
];

const reserved: ReadonlySet<string> = new Set([...credentialNames, projectName, projectsName]);

/** DynamoDB accepts 2,048 bytes of partition key. A digest replaces a longer text of a caller. */
const plainPart = /^[\w.:-]{1,100}$/;

/** Returns the part of a key for an id. No id can look like a name that roles distinguish. */
export function escapePart(text: string): string {
  return plainPart.test(text) && !reserved.has(text) ? text : digestPart(text);
}

export function digestPart(text: string): string {
  return `~${hash('sha256', text, 'base64url')}`;
}

/** Returns the beginning of the partition keys of a project, except for its credentials and invitations. */
export function projectRange(projectId: string): { partitionPrefix: string } {
  return { partitionPrefix: `${escapePart(projectId)}#` };
}

/** Returns the kind of the item, and the kind of the parent whose partition holds the item. */
export function readKinds({ pk, sk }: Key): { kind: string; owner: string } {
  const [kind = ''] = sk.split('#');
  return { kind, owner: ownerKey({ pk, sk }).sk };
}

/** Returns the project of an item. Credentials do not name theirs. */
export function readProjectId({ pk }: Key): string {
  return pk.split('#')[0] ?? '';
}

/** Returns the key of the item that owns the partition, such as a customer or a card. */
export function ownerKey({ pk }: Key): Key {
  const [, kind = ''] = pk.split('#');
  return { pk, sk: kind };
}

/** The list of due items has these parts, so that its writes spread. */
export const dueShards = 16;

/** Returns the shard for this text. */
const shardOf = (text: string) => hash('sha256', text, 'buffer').readUInt8(0) % dueShards;

/** Builds partition keys of the indexes. */
export const indexed = {
  due: (shard: number) => `DUE#${shard}`,
  /** Deliveries to webhooks. The sweep of each minute reads these parts alone. */
  dueDeliveries: (shard: number) => `DUE_DELIVERIES#${shard}`,
  /** Failed jobs by time, for operators. */
  failedJobs: 'FAILED_JOBS',
  dueShardOf: ({ pk }: Key) => indexed.due(shardOf(pk)),
  dueDeliveryShardOf: (id: string) => indexed.dueDeliveries(shardOf(id)),
};

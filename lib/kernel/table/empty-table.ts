import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { createDocumentClient } from './connection.ts';
import type { Attributes } from './item.ts';
import { type Key, readKinds, readProjectId } from './keys.ts';

const wireKey = v.object({ pk: v.object({ S: v.string() }), sk: v.object({ S: v.string() }) });
const wireRead = v.object({
  Key: v.optional(wireKey),
  RequestItems: v.optional(v.record(v.string(), v.object({ Keys: v.optional(v.array(wireKey), []) }))),
});

const wireText = v.object({ S: v.string() });
const wireQuery = v.object({
  IndexName: v.optional(v.string()),
  ExpressionAttributeValues: v.object({ ':partition': wireText, ':from': v.optional(wireText) }),
});

/** The part of an SDK request that this client reads. */
interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A use case that reads more is in a loop. */
const maxCalls = 100;

const json = { 'content-type': 'application/x-amz-json-1.0' };

/** The contents of the table. */
interface Contents {
  /** Returns the one item that all keys of a kind lead to. */
  readonly itemOf: (kind: string, id: string) => Attributes | undefined;
  /** Returns the fields in an index of the only element in one of its partitions. */
  readonly listedIn: (partition: string) => Attributes | undefined;
}

/** Finds at most one item: a child of the parent, or the element of a list. */
function queried(text: string, { itemOf, listedIn }: Contents): object {
  const { success, output } = v.safeParse(wireQuery, JSON.parse(text));
  if (!success) return {};
  const { ':partition': partition, ':from': from } = output.ExpressionAttributeValues;
  const [kind = ''] = from?.S.split('#') ?? [];
  const { IndexName: index } = output;
  const listed = index && listedIn(partition.S);
  const child = index ? undefined : itemOf(kind, partition.S.split('#').at(-1) ?? '');
  const found = listed ? { listed, [`${index}sk`]: '' } : child && { ...child, pk: partition.S, sk: from?.S, kind };
  const Items = found ? [marshall(found)] : [];
  return { Items, Count: Items.length, ScannedCount: Items.length };
}

function answer(target: string, text: string, contents: Contents): object {
  if (target.endsWith('.Query')) return queried(text, contents);
  const { success, output: read } = v.safeParse(wireRead, JSON.parse(text));
  const found = ({ pk, sk }: v.InferOutput<typeof wireKey>): object | undefined => {
    const key: Key = { pk: pk.S, sk: sk.S };
    const { kind } = readKinds(key);
    const id = key.pk.split('#').at(-1) ?? '';
    const item = contents.itemOf(kind, id);
    return item && marshall({ ...item, ...key, kind, project: readProjectId(key), shape: 1, id });
  };
  if (success && target.endsWith('.GetItem') && read.Key) return { Item: found(read.Key) };
  if (!success || !target.endsWith('.BatchGetItem') || !read.RequestItems) return {};
  const Responses = Object.fromEntries(
    Object.entries(read.RequestItems).map(([name, { Keys }]) => [
      name,
      Keys.map(found).filter((item) => item !== undefined),
    ]),
  );
  return { Responses, UnprocessedKeys: {} };
}

/**
 * Returns a client of a table that has only these contents, and accepts each write. It needs no network. Rehearsals use
 * it, so that the first real call finds its code compiled.
 */
export function createEmptyTableClient(contents: Contents): DynamoDBDocumentClient {
  let calls = 0;
  const client = new DynamoDBClient({
    region: 'nowhere',
    endpoint: 'http://nowhere.invalid',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
    requestHandler: {
      handle: async ({ headers, body }: SignedRequest) => {
        calls += 1;
        if (calls > maxCalls) throw new Error('a rehearsal needs no more calls');
        const reply = JSON.stringify(
          answer(headers['x-amz-target'] ?? '', Buffer.from(body ?? '').toString(), contents),
        );
        return { response: { statusCode: 200, headers: json, body: Buffer.from(reply) } };
      },
    },
  });
  client.middlewareStack.remove('loggerMiddleware');
  return createDocumentClient(client);
}

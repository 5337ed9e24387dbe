import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { documentClient } from './connection.ts';
import type { Attributes } from './item.ts';
import { type Key, kindsOf, projectIdOf } from './keys.ts';

const wireKey = v.object({ pk: v.object({ S: v.string() }), sk: v.object({ S: v.string() }) });
const wireRead = v.object({
  Key: v.optional(wireKey),
  RequestItems: v.optional(v.record(v.string(), v.object({ Keys: v.optional(v.array(wireKey), []) }))),
});

/** The part of an SDK request that this client reads. */
interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A use case that reads more is in a loop. */
const maxCalls = 100;

const json = { 'content-type': 'application/x-amz-json-1.0' };

/** Returns the one item that all keys of a kind lead to. */
type Items = (kind: string, id: string) => Attributes | undefined;

function answer(target: string, text: string, items: Items): object {
  const { success, output: read } = v.safeParse(wireRead, JSON.parse(text));
  const found = ({ pk, sk }: v.InferOutput<typeof wireKey>): object | undefined => {
    const key: Key = { pk: pk.S, sk: sk.S };
    const { kind } = kindsOf(key);
    const id = key.pk.split('#').at(-1) ?? '';
    const item = items(kind, id);
    return item && marshall({ ...item, ...key, kind, project: projectIdOf(key), shape: 1, id });
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
 * Returns a client of a table that has only `items`, and accepts each write. It needs no network. Rehearsals use it, so that the
 * first real call finds its code compiled.
 */
export function emptyTableClient(items: Items): DynamoDBDocumentClient {
  let calls = 0;
  const client = new DynamoDBClient({
    region: 'nowhere',
    endpoint: 'http://nowhere.invalid',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
    requestHandler: {
      handle: async ({ headers, body }: SignedRequest) => {
        calls += 1;
        if (calls > maxCalls) throw new Error('a rehearsal asks for no more');
        const reply = JSON.stringify(answer(headers['x-amz-target'] ?? '', Buffer.from(body ?? '').toString(), items));
        return { response: { statusCode: 200, headers: json, body: Buffer.from(reply) } };
      },
    },
  });
  client.middlewareStack.remove('loggerMiddleware');
  return documentClient(client);
}

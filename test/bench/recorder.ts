import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';

/** A command as the SDK receives it. */
interface SentCommand {
  name: string;
  input: Record<string, unknown>;
  /** True if the table refused it, for example because of a condition. */
  failed: boolean;
}

/** Commands that were sent together. The next wave began when all of them were answered. */
export type Wave = SentCommand[];

/** Neither this client nor the preparation of a table is measured. */
export const patienceInMs = 60_000;

/** Makes a client that records the commands it sends. */
export function recordingClient(endpoint: string): {
  dynamodb: DynamoDBDocumentClient;
  /** Returns what was sent since the last call. */
  taken: () => Wave[];
  close: () => void;
} {
  const client = createDynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  let waves: Wave[] = [];
  let underWay = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const sent: SentCommand = {
        name: String(context.commandName),
        input: structuredClone(args.input) as Record<string, unknown>,
        failed: false,
      };
      if (underWay === 0) waves.push([]);
      waves.at(-1)?.push(sent);
      underWay += 1;
      try {
        return await next(args);
      } catch (error) {
        sent.failed = true;
        throw error;
      } finally {
        underWay -= 1;
      }
    },
    // This step runs before the document client converts values for the wire.
    { step: 'initialize', priority: 'high' },
  );
  return {
    dynamodb: createDocumentClient(client),
    taken: () => {
      const told = waves;
      waves = [];
      return told;
    },
    close: () => client.destroy(),
  };
}

/** Returns the same commands for another table. */
export function aboutTable(waves: readonly Wave[], from: string, to: string): Wave[] {
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(from, to);
    if (Array.isArray(value)) return value.map(renamed);
    if (Object.prototype.toString.call(value) !== '[object Object]') return value;
    return Object.fromEntries(
      Object.entries(Object(value)).map(([name, part]) => [name.replaceAll(from, to), renamed(part)]),
    );
  };
  // An engine regards a repeated transaction token as the same transaction, so the SDK must draw another.
  const fresh = ({ ClientRequestToken, ...input }: SentCommand['input']) => renamed(input) as SentCommand['input'];
  return waves.map((wave) => wave.map((sent) => ({ ...sent, input: fresh(sent.input) })));
}

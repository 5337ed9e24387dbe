import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamodbClient } from '../../lib/http/composition.ts';
import { documentClient } from '../../lib/table/connection.ts';

/** A command as it was sent, before the SDK made anything of it. */
export interface SentCommand {
  name: string;
  input: Record<string, unknown>;
  /** Refused by the table, as a condition is that does not hold. */
  failed: boolean;
}

/** Commands that were under way at once; the next wave began when none of them was any more. */
export type Wave = SentCommand[];

/** What is measured is neither this client nor what prepares a table. */
export const patienceInMs = 60_000;

/** A client that remembers what is sent through it. */
export function recordingClient(endpoint: string): {
  dynamodb: DynamoDBDocumentClient;
  /** What was sent since it was last asked. */
  taken: () => Wave[];
  close: () => void;
} {
  const client = dynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
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
    // Before the document client turns values into the wire's form.
    { step: 'initialize', priority: 'high' },
  );
  return {
    dynamodb: documentClient(client),
    taken: () => {
      const told = waves;
      waves = [];
      return told;
    },
    close: () => client.destroy(),
  };
}

/** The same commands, of another table. */
export function aboutTable(waves: readonly Wave[], from: string, to: string): Wave[] {
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(from, to);
    if (Array.isArray(value)) return value.map(renamed);
    if (Object.prototype.toString.call(value) !== '[object Object]') return value;
    return Object.fromEntries(
      Object.entries(Object(value)).map(([name, part]) => [name.replaceAll(from, to), renamed(part)]),
    );
  };
  // An engine that has seen a transaction's token takes it for the same one: the SDK draws another.
  const fresh = ({ ClientRequestToken, ...input }: SentCommand['input']) => renamed(input) as SentCommand['input'];
  return waves.map((wave) => wave.map((sent) => ({ ...sent, input: fresh(sent.input) })));
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A command as sent to the table. */
export interface SentCommand {
  /** For example `GetCommand`. */
  name: string;
  input: Record<string, unknown>;
}

/** Returns whether the command of this name writes. */
export function isWriting(name: string): boolean {
  return /Write|Put|Update|Delete|Execute/.test(name);
}

interface Observer {
  /** Runs before the command is sent, and delays it. The sender receives its error. */
  before?: (command: SentCommand) => unknown;
  /** Runs after the table has carried it out. */
  after?: (command: SentCommand) => void;
}

interface Sendable {
  readonly constructor: { readonly name: string };
  readonly input: Record<string, unknown>;
}

/** Wraps a client so that it reports each command. */
export function observed(client: DynamoDBDocumentClient, { before, after }: Observer): DynamoDBDocumentClient {
  return new Proxy(client, {
    get: (target, property) => {
      const value = Reflect.get(target, property, target);
      if (property !== 'send') return typeof value === 'function' ? value.bind(target) : value;
      return async (command: Sendable, ...others: unknown[]) => {
        const sent = { name: command.constructor.name, input: command.input };
        await before?.(sent);
        const reply = await Reflect.apply(value, target, [command, ...others]);
        after?.(sent);
        return reply;
      };
    },
  });
}

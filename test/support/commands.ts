import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A command as it goes to the table. */
export interface SentCommand {
  /** Such as `GetCommand`. */
  name: string;
  input: Record<string, unknown>;
}

/** Of a command's name. */
export function isWriting(name: string): boolean {
  return /Write|Put|Update|Delete|Execute/.test(name);
}

interface Observer {
  /** Before the command is sent, which waits for it; what it throws is what the sender gets. */
  before?: (command: SentCommand) => unknown;
  /** After the table has carried it out. */
  after?: (command: SentCommand) => void;
}

interface Sendable {
  readonly constructor: { readonly name: string };
  readonly input: Record<string, unknown>;
}

/** The same client, which reports each command. */
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

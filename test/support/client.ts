import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export interface Command {
  readonly constructor: { readonly name: string };
  readonly input: Record<string, unknown>;
}

/** Makes a real client with another `send`. The replacement may call the real `send`. */
export function clientWith(
  real: DynamoDBDocumentClient,
  send: (command: Command, real: () => Promise<unknown>) => Promise<unknown>,
): DynamoDBDocumentClient {
  return Object.assign(Object.create(real), {
    send: (command: Command, ...options: unknown[]) =>
      send(command, () => Reflect.apply(real.send, real, [command, ...options]) as Promise<unknown>),
  });
}

export function isTransaction({ constructor: { name } }: Command): boolean {
  return name === 'TransactWriteCommand';
}

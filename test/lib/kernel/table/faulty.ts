import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { Table } from '#kernel/table/table.ts';
import { clientWith } from '../../../support/client.ts';
import { testDependencies, testTime } from '../../../support/dependencies.ts';

type Send = (command: never) => Promise<unknown>;
export type Fault = (send: Send, command: never) => Promise<unknown>;

/** Returns the file's table with a client whose first calls each suffer one of `faults`. */
export function faulty(faults: readonly Fault[]) {
  const { dynamodb, tableName } = testDependencies();
  const waiting = [...faults];
  const real: Send = (command) => dynamodb.send(command);
  const client = clientWith(dynamodb, (command) => {
    const fault = waiting.shift();
    return fault ? fault(real, command as never) : real(command as never);
  });
  return { table: new Table(client, tableName, testTime), left: () => waiting.length };
}

export const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** Carries the command out, and answers that it is still in progress. */
export const inProgress: Fault = async (send, command) => {
  await send(command);
  throw new TransactionInProgressException({ message: 'in progress', $metadata: {} });
};

import { setTimeout as wait } from 'node:timers/promises';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import type { Cloud, SmallStack } from './cloud.ts';
import { openFront } from './front.ts';

/** Looks whether the emulator still has a gap that it does not report. */

/** Returns whether the API `One` knows the path of its body. */
export async function answersBody(stack: SmallStack, { endpoint }: Cloud): Promise<boolean> {
  const front = await openFront(`http://${await stack.idOf('One')}.execute-api.localhost`, endpoint);
  try {
    return (await fetch(`${front.address}/one`)).status !== 404;
  } finally {
    await front.close();
  }
}

/** Returns whether the reader of `readerOf` gets an item. The other reader shows when it should have got it. */
export async function readsStream(stack: SmallStack, { dynamodb, lambda }: Cloud): Promise<boolean> {
  if (stack.refusal !== undefined) throw new Error(`the readers of a stream were not created: ${stack.refusal}`);
  const TableName = await stack.idOf('Table');
  const [reader, all] = await Promise.all([stack.idOf('ReaderSource'), stack.idOf('AllSource')]);
  const resultOf = async (UUID: string) =>
    (await lambda.send(new GetEventSourceMappingCommand({ UUID }))).LastProcessingResult ?? '';
  // The second item is read when the first one has passed both readers.
  for (const pk of ['first', 'second']) {
    await dynamodb.send(new PutItemCommand({ TableName, Item: { pk: { S: pk } } }));
    for (let looks = 0; !(await resultOf(all)).startsWith('OK'); looks++) {
      if (looks > 600) throw new Error('no reader of the stream was called');
      await wait(50);
    }
    await wait(1_000);
  }
  return (await resultOf(reader)).startsWith('OK');
}

import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { serveTurns, timedInBoth } from './side.ts';

/** The floor: the SDK sends recorded commands without our code in between. */

/** The commands by the names that the SDK gives them. */
// biome-ignore lint/suspicious/noExplicitAny: what is sent was recorded from a command of the same name.
const commands: Readonly<Record<string, new (input: any) => any>> = {
  BatchExecuteStatementCommand,
  BatchGetItemCommand: BatchGetCommand,
  DeleteItemCommand: DeleteCommand,
  GetItemCommand: GetCommand,
  PutItemCommand: PutCommand,
  QueryCommand,
  TransactGetItemsCommand: TransactGetCommand,
  TransactWriteItemsCommand: TransactWriteCommand,
  UpdateItemCommand: UpdateCommand,
};

const waves = v.array(
  v.array(v.object({ name: v.string(), input: v.record(v.string(), v.unknown()), failed: v.boolean() })),
);

const [endpoint = ''] = process.argv.slice(2);
const dynamodb = createDocumentClient(createDynamodbClient(endpoint));

async function send(name: string, input: Record<string, unknown>): Promise<boolean> {
  const Command = commands[name];
  if (!Command) throw new Error(`the floor does not know ${name}`);
  try {
    await dynamodb.send(new Command(input));
    return false;
  } catch {
    return true;
  }
}

serveTurns(async (turn) => {
  const told = v.parse(waves, turn);
  const failed: boolean[] = [];
  const times = await timedInBoth(async () => {
    for (const wave of told) {
      failed.push(...(await Promise.all(wave.map(({ name, input }) => send(name, input)))));
    }
  });
  const asTold = told.flat().every((sent, index) => sent.failed === failed[index]);
  if (!asTold) throw new Error('the table of the floor gives another answer than the recorded one');
  return times;
});

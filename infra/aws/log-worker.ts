import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsEvent } from 'aws-lambda';
import * as v from 'valibot';
import { countValidations, type LogEvent } from '../../lib/campaigns/count-validations.ts';
import { compose, type Dependencies } from '../../lib/http/composition.ts';
import { Table } from '../../lib/table/table.ts';

/** CloudWatch Logs delivers log events, gzipped, and sometimes a message that only tests the connection. */
const delivery = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    messageType: v.string(),
    logEvents: v.optional(v.array(v.object({ id: v.string(), message: v.string() })), []),
  }),
);

/** Reads the log events of a delivery. A test message has none. */
export function readDelivery(data: string): LogEvent[] {
  const { messageType, logEvents } = v.parse(delivery, gunzipSync(Buffer.from(data, 'base64')).toString());
  return messageType === 'DATA_MESSAGE' ? logEvents : [];
}

let composed: Dependencies | undefined;

/** Counts the validations in the log lines of a subscription. A failed delivery is tried again. */
export async function handler({ awslogs }: CloudWatchLogsEvent): Promise<void> {
  const events = readDelivery(awslogs.data);
  if (events.length === 0) return;
  composed ??= compose(process.env);
  const { dynamodb, tableName, clock } = composed;
  const now = clock();
  await countValidations(new Table(dynamodb, tableName, now), now, events);
}

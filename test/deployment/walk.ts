import { setTimeout as wait } from 'node:timers/promises';
import { FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { ListRulesCommand, PutRuleCommand } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { connectService } from '../../infra/operator/smoke/service.ts';
import { createCalls, expectValues, readPath, readText, Unexpected } from '../../infra/operator/smoke/step.ts';
import type { Cloud } from './cloud.ts';
import { type Project, runOperator, type Shell } from './commands.ts';

/** Calls what `npm run smoke` does not: a larger generation, pages, tools of agents, a webhook into a queue, the schedule. */

export interface Place {
  readonly shell: Shell;
  readonly cloud: Cloud;
  readonly project: Project;
  /** Is the address that callers use. */
  readonly address: string;
  readonly stack: string;
  readonly table: string;
}

const patienceInMs = 150_000;

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + patienceInMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Unexpected(`${what} did not happen within ${patienceInMs / 1_000} s`);
    await wait(500);
  }
}

const connect = ({ address, project: { appId, appToken } }: Place) =>
  connectService(new URL(address), { 'x-app-id': appId, 'x-app-token': appToken });

/** Generates a thousand codes, by the stream, a queue and its worker. */
export async function generateCodes(place: Place, name: string, count: number): Promise<void> {
  const { call, until: repeat } = createCalls(connect(place));
  const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
  const body = { name, campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', vouchers_count: count, voucher };
  const route = `GET /v1/campaigns/${readText(await call('POST /v1/campaigns', 200, { body }), 'id')}`;
  const done = await repeat(route, (found) => readPath(found, 'vouchers_generation_status') === 'DONE');
  expectValues(done, { vouchers_count: count });
}

/** Reads a campaign by its name, to show that an update has left the data. */
export async function findCodes(place: Place, name: string, count: number): Promise<void> {
  const { call } = createCalls(connect(place));
  expectValues(await call(`GET /v1/campaigns/${name}`, 200), { name, vouchers_count: count });
}

export async function openPages(place: Place): Promise<void> {
  const { call } = createCalls(connect(place));
  for (const page of ['/docs', '/console']) {
    const { headers } = await call(`GET ${page}`, 200, { credentials: false });
    if (!headers.get('content-type')?.startsWith('text/html')) throw new Unexpected(`${page} is not HTML`);
  }
}

/** Lists the tools of agents. */
export async function askAsAgent(place: Place): Promise<void> {
  const { call } = createCalls(connect(place));
  const headers = { accept: 'application/json, text/event-stream' };
  const reply = await call('POST /mcp', 200, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers });
  const answer = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  if (!answer.includes('get-campaign')) throw new Unexpected(`/mcp answered ${answer.slice(0, 300)}`);
}

/** Creates a webhook that sends to a queue of the account, and waits for its first event. */
export async function hearByQueue(place: Place, queue: string): Promise<void> {
  const { shell, cloud, table } = place;
  const { QueueUrl } = await cloud.sqs.send(new CreateQueueCommand({ QueueName: queue }));
  const create = ['infra/operator/management-key.ts', 'create', place.project.id, '--name', 'deployment'];
  const printed = await runOperator(shell, [...create, '--id', 'mgmt_deployment'], { TABLE_NAME: table });
  const token = /^token +(\S+)/m.exec(printed)?.[1];
  if (token === undefined) throw new Unexpected(`no management token was printed: ${printed}`);
  const headers = { 'x-management-id': 'mgmt_deployment', 'x-management-token': token };
  const { call } = createCalls(connect(place));
  const webhook = { target_url: `sqs:${queue}`, events: ['customer.created'] };
  const route = `POST /management/v1/projects/${place.project.id}/webhooks`;
  await call(route, 200, { body: webhook, headers, credentials: false });
  await call('POST /v1/customers', 200, { body: { source_id: 'heard' } });
  await until('a message in the queue', async () => {
    const { Messages = [] } = await cloud.sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }));
    return Messages.find(({ Body }) => Body?.includes('customer.created'));
  });
}

/** Lets the hourly rule of the due worker run each minute, and waits for a run that it has started. */
export async function waitForSchedule({ cloud, stack }: Place): Promise<void> {
  const { Rules = [] } = await cloud.events.send(new ListRulesCommand({ NamePrefix: stack }));
  const hourly = Rules.filter(
    ({ Name, ScheduleExpression }) => /due/.test(Name ?? '') && ScheduleExpression === 'rate(1 hour)',
  );
  const groups = (await cloud.logGroupsOf(stack)).filter((name) => name.includes('dueworker'));
  const [rule] = hourly;
  const [logGroupName] = groups;
  if (hourly.length !== 1 || groups.length !== 1)
    throw new Unexpected(`${stack} has ${hourly.length} hourly rules and ${groups.length} logs of the due worker`);
  await cloud.events.send(new PutRuleCommand({ Name: rule?.Name, ScheduleExpression: 'rate(1 minute)' }));
  await until('a run of the due worker', async () => {
    const { events = [] } = await cloud.logs.send(new FilterLogEventsCommand({ logGroupName }));
    return events.find(({ message }) => message?.includes('"settle-due"') && message.includes('"finished":true'));
  });
}

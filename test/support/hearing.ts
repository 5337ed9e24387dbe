import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import type { AccountTargets } from '#addons/webhooks/account-targets.ts';
import { deliveries } from '#addons/webhooks/delivery.ts';
import type { TargetOptions } from '#addons/webhooks/target.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { Table } from '#kernel/table/table.ts';
import { createWorks, streamFilters, streamWork } from '#registry.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as getWebhook } from '../../functions/management/get-webhook.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { startStreamPoller } from '../../infra/local/stream-poller.ts';
import type { Request } from './api-event.ts';
import { caller } from './call.ts';
import { changesOf } from './changes.ts';
import { engineClient, standingClock, testDependencies, uniqueId } from './dependencies.ts';
import { credentialsOf, loadFile, projectFile } from './project.ts';

/** A request that a receiver got. */
export interface Heard {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of many shapes.
  readonly body: any;
}

type Answering = (response: ServerResponse, heard: Heard) => void;

/** Starts a receiver on this machine. It answers 200, or as the test says. */
export async function openReceiver(answering: Answering = (response) => void response.end('thanks')) {
  const heard: Heard[] = [];
  const state = { answering };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      const one = { headers: request.headers, text, body: JSON.parse(text) };
      heard.push(one);
      state.answering(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return {
    heard,
    url: `http://127.0.0.1:${port}/hooks`,
    answer: (by: Answering) => {
      state.answering = by;
    },
    types: () => heard.map(({ body }) => body.type),
  };
}

/** Makes a table with a stream, and a project in it, whose work a test carries out step by step. */
export async function openHearing(
  lists: Record<string, unknown> = {},
  { targets = { allowsLocal: true }, account = {} }: { targets?: TargetOptions; account?: AccountTargets } = {},
) {
  const tableName = uniqueId('tessera-hearing-');
  const engine = engineClient();
  await createTable(engine, tableName);
  const clock = standingClock();
  const dependencies = testDependencies({ tableName, clock });
  const { queues } = dependencies;
  const file = projectFile(lists);
  await loadFile(file, clock(), dependencies);
  const credentials = credentialsOf(file);
  const table = () => new Table(dependencies.dynamodb, tableName, clock());
  const { handOver } = streamWork();
  const poller = await startStreamPoller({
    dependencies,
    readers: [
      {
        filters: streamFilters,
        process: (records) => handOver(changesOf(records), { queues, table: table() }),
      },
    ],
  });
  onTestFinished(async () => {
    await poller.stop();
    await engine.send(new DeleteTableCommand({ TableName: tableName }));
    engine.destroy();
  });
  const works = createWorks({ targets, account, baseUrl: 'https://api.example' });
  const take = () => queues.messages.splice(0);

  /** Carries out all messages without a delay. Returns the messages with a delay. */
  async function settle() {
    const later = [];
    await poller.idle();
    for (let all = take(); all.length > 0; all = take()) {
      // A message that found its target busy comes back immediately.
      const isLater = ({ delayInS = 0, more }: (typeof all)[number]) => delayInS > 0 && !(more && 'waits' in more);
      const now = all.filter((one) => !isLater(one));
      later.push(...all.filter(isLater));
      const bodies = now.map(({ key: { pk, sk }, more }, index) => ({
        messageId: String(index),
        body: JSON.stringify({ pk, sk, ...more }),
      }));
      const { batchItemFailures } = await runMessages(bodies, dependencies, works);
      if (batchItemFailures.length > 0) throw new Error(dependencies.lines.join('\n'));
      await poller.idle();
    }
    return later;
  }

  /** Puts messages back, as the queue does when their delay ends. */
  const resume = (messages: readonly (typeof queues.messages)[number][]) =>
    queues.messages.push(...messages.map(({ delayInS: _delay, ...message }) => message));

  return {
    id: file.project.id,
    credentials,
    clock,
    dependencies,
    table,
    settle,
    resume,
    /** Carries out all messages, including messages with a delay. */
    settleAll: async () => {
      for (let later = await settle(); later.length > 0; later = await settle()) resume(later);
    },
    call: (handler: Endpoint, request: Request) => caller(handler, dependencies)({ headers: credentials, ...request }),
    manage: (handler: Endpoint, params: Record<string, string> = {}, body?: object, query?: string) =>
      caller(
        handler,
        dependencies,
      )({ params: { projectId: file.project.id, ...params }, ...(body ? { body } : {}), ...(query ? { query } : {}) }),
  };
}

export type Hearing = Awaited<ReturnType<typeof openHearing>>;

/** Opens a project with a webhook that hears of new customers. */
export async function openSubscribed(
  events: readonly string[] = ['customer.created'],
  options?: Parameters<typeof openHearing>[1],
) {
  const [hearing, receiver] = await Promise.all([openHearing({}, options), openReceiver()]);
  const { body: webhook } = await hearing.manage(createWebhook, {}, { target_url: receiver.url, events });
  const newCustomer = async (source_id: string) =>
    (await hearing.call(createCustomer, { body: { source_id, name: 'Ingrid' } })).body;
  const isActive = async () => (await hearing.manage(getWebhook, { webhookId: webhook.id })).body.active;
  const delivery = async () => {
    const [first] = receiver.heard;
    const key = deliveries(hearing.id, webhook.id, first?.body.id);
    return hearing.table().get(key, deliveries.schema);
  };
  return { ...hearing, receiver, webhook, newCustomer, isActive, delivery };
}

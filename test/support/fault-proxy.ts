import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { patience } from './dependencies.ts';
import type { Call, EngineReply, Plan } from './faults.ts';

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function writeHead(response: ServerResponse, { status, headers, body }: EngineReply): void {
  const { 'transfer-encoding': _, connection: __, ...others } = headers;
  response.writeHead(status, { ...others, 'content-length': body.length });
}

/** Repeats calls as the SDK does, without its pauses. The SDK's retry budget is left out, because many faults would use it up. */
const promptRetries = (() => {
  const maxAttempts = 4;
  const token = (count: number) => ({ getRetryCount: () => count, getRetryDelay: () => 0, getRetryCost: () => 0 });
  return {
    acquireInitialRetryToken: async () => token(0),
    refreshRetryTokenForRetry: async (
      { getRetryCount }: ReturnType<typeof token>,
      { errorType }: { errorType: string },
    ) => {
      if (errorType === 'CLIENT_ERROR' || getRetryCount() + 1 >= maxAttempts) throw new Error('no attempt is left');
      return token(getRetryCount() + 1);
    },
    recordSuccess: () => {},
  };
})();

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** Starts a proxy between the code and the tests' engine. The plan of a run decides the fault of each call. */
export async function startFaultProxy({ replyTimeoutInMs = patience.replyTimeoutInMs } = {}) {
  const engine = new URL(inject('endpoint'));
  const agent = new Agent({ keepAlive: true });
  let plan: Plan = () => undefined;
  let calls: Call[] = [];
  const underWay = new Set<Promise<unknown>>();

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host: _, 'content-length': __, ...headers } = incoming.headers;
    const received = await bodyOf(incoming);
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    const call: Call = { number: calls.length + 1, operation, body: JSON.parse(received.toString()) };
    calls.push(call);
    const send = async (body: Record<string, unknown>): Promise<EngineReply> => {
      const sent = request(engine, { method: 'POST', headers, agent });
      sent.end(JSON.stringify(body));
      const [reply]: IncomingMessage[] = await once(sent, 'response');
      if (!reply) throw new Error('the engine gave no reply');
      return { status: reply.statusCode ?? 0, headers: reply.headers, body: await bodyOf(reply) };
    };
    const forward = (body = call.body): Promise<EngineReply> => {
      const sent = send(body);
      underWay.add(sent);
      return sent.finally(() => underWay.delete(sent));
    };
    const reply = (given: EngineReply) => {
      writeHead(response, given);
      response.end(given.body);
    };
    const fault = plan(call);
    if (!fault) return reply(await forward());
    await fault({
      call,
      forward,
      reply,
      refuse: (status, type, more = {}) => {
        const body = Buffer.from(JSON.stringify({ __type: type, message: 'a fault of the test', ...more }));
        reply({ status, headers: { 'content-type': 'application/x-amz-json-1.0' }, body });
      },
      begin: (given) => {
        writeHead(response, given);
        response.write(given.body.subarray(0, given.body.length / 2));
      },
      cut: () => response.destroy(),
    });
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;

  const clients: ReturnType<typeof createDynamodbClient>[] = [];
  const newClient = () => {
    const client = createDynamodbClient(endpoint, { ...patience, replyTimeoutInMs });
    Object.assign(client.config, { retryStrategy: async () => promptRetries });
    clients.push(client);
    return createDocumentClient(client);
  };

  return {
    endpoint,
    /** A client of the proxy. It repeats a call as often as the real client, but without waiting. */
    client: newClient(),
    /** Opens the client of another container. */
    newClient,
    /** Sets the plan from now on. Returns a list that grows with each call. */
    run: (next: Plan = () => undefined): readonly Call[] => {
      plan = next;
      calls = [];
      return calls;
    },
    /** Once it returns, the engine has carried out everything that it received. */
    close: async () => {
      await Promise.allSettled(underWay);
      for (const client of clients) client.destroy();
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

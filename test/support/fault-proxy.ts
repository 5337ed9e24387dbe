import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import { dynamodbClient } from '../../lib/composition.ts';
import { documentClient } from '../../lib/dynamodb.ts';

/** A request to DynamoDB, each attempt of the SDK for itself. */
export interface Call {
  /** Its place among all that were sent, from 1 on. */
  number: number;
  /** `GetItem`, `TransactWriteItems`… */
  operation: string;
  body: Record<string, unknown>;
}

interface EngineReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const writing = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchExecuteStatement'];

export function isWrite({ operation }: Pick<Call, 'operation'>): boolean {
  return writing.includes(operation);
}

/** What a fault has in its hands. */
interface Exchange {
  call: Call;
  /** To the engine: whatever is asked for is done by it. */
  forward: (body?: Record<string, unknown>) => Promise<EngineReply>;
  reply: (reply: EngineReply) => void;
  /** As DynamoDB does, without having done anything. */
  refuse: (status: number, type: string, more?: object) => void;
  /** Head and half of the body. */
  begin: (reply: EngineReply) => void;
  /** Ends the connection. */
  cut: () => void;
}

export type Fault = (exchange: Exchange) => Promise<void> | void;

/** Which calls meet which fault; the others pass. */
export type Plan = (call: Call) => Fault | undefined;

const ofDynamodb = 'com.amazonaws.dynamodb.v20120810#';

/** Each is tried again by someone: by the SDK, or by us. */
export const faults = {
  'is told that the throughput is exceeded': ({ refuse }) =>
    refuse(400, `${ofDynamodb}ProvisionedThroughputExceededException`),
  'is throttled': ({ refuse }) => refuse(400, 'com.amazon.coral.availability#ThrottlingException'),
  'meets an internal error': ({ refuse }) => refuse(500, `${ofDynamodb}InternalServerError`),
  'meets a service that is not available': ({ refuse }) => refuse(503, `${ofDynamodb}ServiceUnavailable`),
  'does not arrive': ({ cut }) => cut(),
  'is carried out, and its reply is lost': async ({ forward, cut }) => {
    await forward();
    cut();
  },
  'is carried out, and its reply is cut off': async ({ forward, begin, cut }) => {
    begin(await forward());
    // What was written goes out before the connection ends.
    setImmediate(cut);
  },
  'is delivered twice': async ({ forward, reply }) => {
    const first = await forward();
    await forward();
    reply(first);
  },
} as const satisfies Record<string, Fault>;

/** Of writes. */
export const conflicts = {
  'meets another transaction': ({ call, refuse }) => {
    const items = call.body.TransactItems;
    if (!Array.isArray(items)) return refuse(400, `${ofDynamodb}TransactionConflictException`);
    const reasons = items.map((_, index) => ({ Code: index === 0 ? 'TransactionConflict' : 'None' }));
    refuse(400, `${ofDynamodb}TransactionCanceledException`, { CancellationReasons: reasons });
  },
  'is carried out, and told to be in progress': async ({ call, forward, refuse, reply }) => {
    const done = await forward();
    if (call.operation !== 'TransactWriteItems') return reply(done);
    refuse(400, `${ofDynamodb}TransactionInProgressException`);
  },
} as const satisfies Record<string, Fault>;

/** Of calls for many items at once: what comes after the first is left undone. */
export const partial: Fault = async ({ call, forward, reply }) => {
  const { RequestItems, Statements } = call.body as {
    RequestItems?: Record<string, { Keys: unknown[] }>;
    Statements?: unknown[];
  };
  const body = { ...call.body };
  if (RequestItems) {
    const parts = Object.entries(RequestItems);
    body.RequestItems = Object.fromEntries(
      parts.map(([name, part]) => [name, { ...part, Keys: part.Keys.slice(0, 1) }]),
    );
    const left = parts.map(([name, part]) => [name, { ...part, Keys: part.Keys.slice(1) }] as const);
    const UnprocessedKeys = Object.fromEntries(left.filter(([, { Keys }]) => Keys.length > 0));
    return reply(changed(await forward(body), { UnprocessedKeys }));
  }
  if (!Statements) return reply(await forward());
  const done = await forward({ ...body, Statements: Statements.slice(0, 1) });
  const [first] = JSON.parse(done.body.toString()).Responses;
  const failed = Statements.slice(1).map(() => ({ Error: { Code: 'ThrottlingError', Message: 'slow down' } }));
  reply(changed(done, { Responses: [first, ...failed] }));
};

/** Nothing is heard of the call ever again. */
export const silence: Fault = () => {};

/** The reply begins, and does not go on. */
export const standstill: Fault = async ({ forward, begin }) => begin(await forward());

function changed({ status, headers, body }: EngineReply, by: object): EngineReply {
  const { 'x-amz-crc32': _, ...others } = headers;
  return { status, headers: others, body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...by })) };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function writeHead(response: ServerResponse, { status, headers, body }: EngineReply): void {
  const { 'transfer-encoding': _, connection: __, ...others } = headers;
  response.writeHead(status, { ...others, 'content-length': body.length });
}

/** Of a slow machine, for faults that nobody waits for. */
const patienceInMs = 30_000;

/** As the SDK tries again, without its pauses and without its budget, which many faults would use up. */
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

/** Between the code and the engine that the tests share: does to the calls what the plan of a run says. */
export async function startFaultProxy({ replyTimeoutInMs = patienceInMs } = {}) {
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

  const client = dynamodbClient(endpoint, replyTimeoutInMs);
  Object.assign(client.config, { retryStrategy: async () => promptRetries });

  return {
    endpoint,
    /** A client of the proxy: it tries again as often as the real one, at once. */
    client: documentClient(client),
    /** Under this plan from now on. Gives the calls, which grow as they are sent. */
    run: (next: Plan = () => undefined): readonly Call[] => {
      plan = next;
      calls = [];
      return calls;
    },
    /** After it, whatever was sent to the engine is done. */
    close: async () => {
      await Promise.allSettled(underWay);
      client.destroy();
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

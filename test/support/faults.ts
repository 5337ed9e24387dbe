import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request to DynamoDB. Each attempt of the SDK is a separate call. */
export interface Call {
  /** The position among all calls that were sent. It begins at 1. */
  number: number;
  /** For example `GetItem` or `TransactWriteItems`. */
  operation: string;
  body: Record<string, unknown>;
}

export interface EngineReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const writing = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchExecuteStatement'];

export function isWrite({ operation }: Pick<Call, 'operation'>): boolean {
  return writing.includes(operation);
}

/** The means by which a fault changes a call and its reply. */
export interface Exchange {
  call: Call;
  /** Sends the call to the engine, which carries it out. */
  forward: (body?: Record<string, unknown>) => Promise<EngineReply>;
  reply: (reply: EngineReply) => void;
  /** Answers with an error in the format of DynamoDB, and carries nothing out. */
  refuse: (status: number, type: string, more?: object) => void;
  /** Sends the head and half of the body. */
  begin: (reply: EngineReply) => void;
  /** Ends the connection. */
  cut: () => void;
}

export type Fault = (exchange: Exchange) => Promise<void> | void;

/** Chooses the fault of a call. Calls without a fault pass. */
export type Plan = (call: Call) => Fault | undefined;

const ofDynamodb = 'com.amazonaws.dynamodb.v20120810#';

/** Each of these calls is repeated, by the SDK or by our code. */
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
    // The written bytes must be sent before the connection ends.
    setImmediate(cut);
  },
  'is delivered twice': async ({ forward, reply }) => {
    const first = await forward();
    await forward();
    reply(first);
  },
} as const satisfies Record<string, Fault>;

/** These faults befall writes. */
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

/** Refuses a write. DynamoDB does so when the partition of the first item lacks capacity. */
export const withoutCapacity: Fault = ({ call, refuse }) => {
  const items = call.body.TransactItems;
  if (!Array.isArray(items)) return refuse(400, `${ofDynamodb}ProvisionedThroughputExceededException`);
  const reasons = items.map((_, index) => ({ Code: index === 0 ? 'ThrottlingError' : 'None' }));
  refuse(400, `${ofDynamodb}TransactionCanceledException`, { CancellationReasons: reasons });
};

/** Leaves a call for many items undone after its first item. */
const partial: Fault = async ({ call, forward, reply }) => {
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

/** Never answers the call. */
export const silence: Fault = () => {};

/** Begins the reply and never ends it. */
export const standstill: Fault = async ({ forward, begin }) => begin(await forward());

function changed({ status, headers, body }: EngineReply, by: object): EngineReply {
  const { 'x-amz-crc32': _, ...others } = headers;
  return { status, headers: others, body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...by })) };
}

/** These faults of writes show whether a write is repeated. */
const telling: readonly string[] = [
  'is carried out, and its reply is lost',
  'is delivered twice',
  'meets another transaction',
] satisfies (keyof typeof faults | keyof typeof conflicts)[];

/** Returns the kind of a call. A fault acts below the use case, so it treats all calls of a kind alike. */
function kindOf(call: Call, all: readonly Call[]): string {
  const { TransactItems } = call.body as { TransactItems?: object[] };
  const parts = new Set(TransactItems?.flatMap((item) => Object.keys(item)));
  const isBehindWrite = all.some((other) => other.number < call.number && isWrite(other));
  return [isBehindWrite ? 'behind a write' : 'first', call.operation, ...[...parts].sort()].join(' ');
}

/**
 * Plans the faults of a test file. Each fault befalls each kind of call once. Each write loses its reply once. Each last call meets one of
 * the faults. `closely` shows each write all faults that reveal a repeated write. A long run gives each read one fault.
 */
export function faultsByKind() {
  const isLong = process.env.LONG_TESTS !== undefined;
  const shown = new Set<string>();
  return (
    call: Call,
    all: readonly Call[],
    every: readonly [string, Fault][],
    { closely = false, of = '' } = {},
  ): readonly [string, Fault][] => {
    const inTurn = isLong || call.number === all.length ? every[call.number % every.length]?.[0] : undefined;
    const always = [inTurn, ...(isWrite(call) ? telling.slice(0, closely ? telling.length : 1) : [])];
    return every.filter(([name]) => {
      const one = `${of} ${kindOf(call, all)}: ${name}`;
      const isNew = !shown.has(one);
      shown.add(one);
      return isNew || always.includes(name);
    });
  };
}

/** Returns the faults that may befall the call once. */
export function faultsOf(call: Call): readonly [string, Fault][] {
  return [
    ...Object.entries(faults),
    ...(call.operation === 'BatchGetItem' ? ([['is done in part', partial]] as [string, Fault][]) : []),
    ...(isWrite(call) ? Object.entries(conflicts) : []),
  ];
}

/** The faults that may befall a call and all calls after it. */
export const lasting = {
  'is throttled': faults['is throttled'],
  'meets an internal error': faults['meets an internal error'],
  'does not arrive': faults['does not arrive'],
  'is carried out, and its reply is lost': faults['is carried out, and its reply is lost'],
  'meets another transaction': conflicts['meets another transaction'],
} as const satisfies Record<string, Fault>;

/** Returns a copy of the call under a token that DynamoDB has not seen, as a delivery after its ten minutes of memory has. */
export function withForgottenToken({ body }: Pick<Call, 'body'>): Record<string, unknown> {
  return body.ClientRequestToken === undefined ? body : { ...body, ClientRequestToken: randomUUID() };
}

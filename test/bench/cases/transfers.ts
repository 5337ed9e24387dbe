import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as v from 'valibot';
import { handler } from '../../../functions/transfer-points.ts';
import { createTable } from '../../../infra/local/create-table.ts';
import { type Engine, startEngine } from '../../../infra/local/engine.ts';
import { EngineError, type EngineKind } from '../../../infra/local/engine-program.ts';
import { type Dependencies, dynamodbClient } from '../../../lib/composition.ts';
import { documentClient } from '../../../lib/dynamodb.ts';
import { CredentialCache } from '../../../lib/http/credential-cache.ts';
import { RateLimiter } from '../../../lib/http/rate-limit.ts';
import { loadProjectFile } from '../../../lib/project-file/load.ts';
import { type Benchmark, type Measurement, median } from '../benchmark.ts';

/** Of a transfer's median time to that of its DynamoDB commands, sent bare by the SDK. */
const maxRatio = 1.5;
const sizes = [1, 40];
/** Of each side. */
const turns = 200;
/** Not measured. */
const warmUpTurns = 30;

const allEngines: readonly EngineKind[] = ['dynamodb-local', 'dynoxide'];
const engines = allEngines.filter((kind) => (process.env.DYNAMODB_ENGINE || kind) === kind);

const tableName = 'tessera-bench-transfers';
const appKey = { app_id: 'bench', app_token: 'bench-token' };
const sources = Array.from({ length: Math.max(...sizes) }, (_, index) => `FROM-${index}`);

const tiers = [
  { id: 'low', name: 'Low', campaign_id: 'camp_club', points: { from: 0, to: 999 } },
  { id: 'high', name: 'High', campaign_id: 'camp_club', points: { from: 1_000 } },
];

function card(code: string, points: number) {
  return {
    code,
    type: 'LOYALTY_CARD',
    campaign_id: 'camp_club',
    active: true,
    holder_id: `cust_${code}`,
    loyalty_card: { points },
  };
}

const projectFile = {
  project: { id: 'proj_bench', name: 'Benchmark' },
  app_keys: [{ ...appKey, name: 'Bench' }],
  campaigns: [
    {
      id: 'camp_club',
      name: 'Club',
      campaign_type: 'LOYALTY_PROGRAM',
      type: 'STATIC',
      voucher: {
        type: 'LOYALTY_CARD',
        loyalty_card: {
          points: 0,
          expiration_rules: { period_type: 'MONTH', period_value: 12, rounding_type: 'END_OF_YEAR' },
        },
      },
    },
  ],
  loyalty_tiers: tiers,
  customers: ['TO', ...sources].map((code) => ({ id: `cust_${code}` })),
  vouchers: [card('TO', 0), ...sources.map((code) => card(code, 1_000_000))],
};

const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
let requests = 0;

/** As the gateway sends it: one point of each card, under a new transaction id. */
function transferEvent(entries: number): APIGatewayProxyEventV2 {
  requests += 1;
  const body = sources.slice(0, entries).map((code) => ({ code, points: 1, source_id: `tx-${requests}` }));
  return {
    version: '2.0',
    rawPath: '/v1/loyalties/camp_club/members/TO/transfers',
    rawQueryString: '',
    headers: { 'content-type': 'application/json', 'x-app-id': appKey.app_id, 'x-app-token': appKey.app_token },
    pathParameters: { campaignId: 'camp_club', memberId: 'TO' },
    requestContext: { requestId: `request-${requests}`, domainName: 'bench.local', http: { method: 'POST' } },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2;
}

const logLine = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ status: v.literal(200), dynamodb_calls: v.number(), read_units: v.number(), write_units: v.number() }),
);

type Command = GetCommand | BatchGetCommand | QueryCommand | TransactWriteCommand;

/** The table as a transfer meets it, which is not written to: what it was sent is told instead. */
function listener(client: DynamoDBDocumentClient) {
  const heard: Command[] = [];
  const send = async (command: Command) => {
    heard.push(command);
    return command instanceof TransactWriteCommand ? {} : client.send(command as BatchGetCommand);
  };
  const dynamodb: DynamoDBDocumentClient = Object.assign(Object.create(client), { send });
  return { dynamodb, heard };
}

/** The same commands anew, for the SDK keeps what it made of them. */
function again(command: Command): Command {
  if (command instanceof TransactWriteCommand)
    return new TransactWriteCommand({ ...command.input } as TransactWriteCommandInput);
  if (command instanceof QueryCommand) return new QueryCommand({ ...command.input } as QueryCommandInput);
  return new BatchGetCommand({ ...command.input } as BatchGetCommandInput);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/**
 * A transfer as the function does it, the same commands bare, and the transaction alone: in turns, so that whatever else the machine does falls on all.
 */
async function measureSize(
  engine: Engine,
  dependencies: Dependencies,
  lines: string[],
  entries: number,
): Promise<Measurement> {
  const { dynamodb } = dependencies;
  const transfer = handler.with(dependencies);
  const { dynamodb: listening, heard } = listener(dynamodb);
  const rehearse = handler.with({ ...dependencies, dynamodb: listening, log: () => {} });
  const times: Record<'transfer' | 'commands' | 'transaction', number[]> = {
    transfer: [],
    commands: [],
    transaction: [],
  };

  /** What a transfer would send now. */
  async function commandsOf(): Promise<Command[]> {
    heard.length = 0;
    await rehearse(transferEvent(entries), context);
    // Credentials are read anew once a minute: that is no part of a transfer.
    return heard.filter((command) => !(command instanceof GetCommand)).map(again);
  }
  const transactionOf = (commands: readonly Command[]) =>
    commands.filter((command) => command instanceof TransactWriteCommand);

  /** The reads at once, as the function sends them. */
  async function bare(commands: readonly Command[]): Promise<void> {
    const reads = commands.filter((command) => !(command instanceof TransactWriteCommand));
    await Promise.all(reads.map((command) => dynamodb.send(command as BatchGetCommand)));
    for (const command of transactionOf(commands)) await dynamodb.send(command);
  }

  async function turn(): Promise<void> {
    times.transfer.push(await timed(() => transfer(transferEvent(entries), context)));
    v.parse(logLine, lines.at(-1));
    const all = await commandsOf();
    times.commands.push(await timed(() => bare(all)));
    const [transaction] = transactionOf(await commandsOf());
    if (!transaction) throw new Error('a transfer sent no transaction');
    times.transaction.push(await timed(() => dynamodb.send(transaction)));
  }

  for (let count = 0; count < warmUpTurns; count++) await turn();
  for (const side of Object.values(times)) side.length = 0;
  for (let count = 0; count < turns; count++) await turn();

  const cost = v.parse(logLine, lines.at(-1));
  const ratio = median(times.transfer) / median(times.commands);
  const figures = Object.entries(times).flatMap(([side, values]) => [
    [`${side} p50 ms`, median(values).toFixed(1)],
    [`p99 ms (${side})`, percentile(values, 0.99).toFixed(1)],
  ]);
  return {
    name: `${engine.name}, ${entries} ${entries === 1 ? 'entry' : 'entries'}`,
    values: {
      ...Object.fromEntries(figures),
      ratio: ratio.toFixed(2),
      'to the transaction': (median(times.transfer) / median(times.transaction)).toFixed(2),
      calls: String(cost.dynamodb_calls),
      'read units': String(cost.read_units),
      'write units': String(cost.write_units),
    },
    broken: ratio > maxRatio ? [`ratio above ${maxRatio}`] : [],
  };
}

async function measureEngine(kind: EngineKind, workDir: string): Promise<Measurement[]> {
  const engine = await startEngine({
    prefer: kind,
    env: { ...process.env, DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: kind },
  });
  const client = dynamodbClient(engine.endpoint);
  try {
    await createTable(client, tableName);
    const lines: string[] = [];
    const dependencies = {
      dynamodb: documentClient(client),
      tableName,
      clock: () => new Date(),
      log: (line: string) => lines.push(line),
      credentialCache: new CredentialCache(),
      managementGuard: 'open' as const,
      rateLimiter: new RateLimiter(Number.MAX_SAFE_INTEGER),
    };
    const path = join(workDir, `${kind}.json`);
    await writeFile(path, JSON.stringify(projectFile));
    await loadProjectFile(path, { ...dependencies, now: new Date() });
    const rows: Measurement[] = [];
    for (const entries of sizes) rows.push(await measureSize(engine, dependencies, lines, entries));
    return rows;
  } finally {
    client.destroy();
    await engine.stop();
  }
}

export const benchmark: Benchmark = {
  title: `Transfers: the function beside its DynamoDB commands sent bare, and beside the transaction alone (${turns} turns)`,
  measure: async (workDir) => {
    const rows: Measurement[] = [];
    for (const kind of engines) {
      try {
        rows.push(...(await measureEngine(kind, workDir)));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        rows.push({ name: kind, values: { ratio: error.message }, broken: [] });
      }
    }
    return rows;
  },
};

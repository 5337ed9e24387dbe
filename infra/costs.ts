import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { compose, dynamodbClient } from '../lib/composition.ts';
import { Table } from '../lib/dynamodb.ts';
import { RateLimiter } from '../lib/http/rate-limit.ts';
import { loadProjectFile } from '../lib/project-file/load.ts';
import { findProject } from '../lib/projects/project.ts';
import { type Operation, routes } from '../lib/routes/index.ts';
import type { Route } from '../lib/routes/route.ts';
import { assetId } from '../lib/vouchers/asset-id.ts';
import { bundleFunctions } from './bundle.ts';
import { endpointMemorySizeInMb } from './endpoint-function.ts';
import { createTable, defaultTableName } from './local/create-table.ts';
import { startEngine } from './local/engine.ts';
import { startServer } from './local/server.ts';
import { requestExamples } from './openapi/examples.ts';

/**
 * In dollars, without free tiers; list prices of us-east-1, written down on 21 November 2026 without a look at AWS's
 * price pages: the figures are those since DynamoDB's reduction of November 2024. Check them before a decision.
 */
const prices = {
  requestOfGateway: 1.0e-6,
  requestOfFunction: 0.2e-6,
  /** On arm64. */
  gigabyteSecond: 0.0000133334,
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  gigabyteOfLog: 0.5,
  trace: 5e-6,
};

/** What can't be measured without AWS, and what it is taken to be. */
const assumed = {
  /** Of one call of the table from a function in its region. */
  tableCallInMs: 5,
  /** Lambda's own lines of a request and the line of the access log, beside ours. */
  otherLogBytes: 750,
  /** X-Ray samples one request a second and a twentieth of the others. */
  traced: 0.05,
  /** Of the requests, those that start a container, which is paid for too. */
  coldStarts: 0.01,
  /** Of a cold start: the runtime's start, and what a bundle adds by its size. */
  startInMs: 250,
  startInMsPerKilobyte: 1.5,
};
/** A function's share of a core goes by its memory. */
const memoryOfCoreInMb = 1_769;
/** The first one fills caches: credentials, code that is compiled. */
const warmUps = 3;
const rounds = 15;

const requestLine = v.object({
  operation: v.string(),
  status: v.number(),
  dynamodb_calls: v.number(),
  read_units: v.number(),
  write_units: v.number(),
});

const projectFile = join(import.meta.dirname, 'local', 'demo-project.json');

interface Measured {
  calls: number;
  readUnits: number;
  writeUnits: number;
  cpuMs: number;
  logBytes: number;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The documentation's examples, but what may be done once only is another one each time. */
function bodyOf(operation: Operation, round: number): unknown {
  const { body } = requestExamples[operation] ?? {};
  if (operation === 'create-campaign') return { ...body, name: `Campaign ${round}` };
  if (operation !== 'transfer-points' || !Array.isArray(body)) return body;
  return body.map((entry) => ({ ...entry, points: 1, source_id: `round-${round}` }));
}

async function tokenFrom(baseUrl: string, headers: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'vouchers' });
  const reply = await fetch(`${baseUrl}/v1/oauth/token`, { method: 'POST', headers, body });
  return v.parse(v.object({ access_token: v.string() }), await reply.json()).access_token;
}

async function measure(): Promise<Map<Operation, Measured>> {
  const engine = await startEngine({ prefer: 'dynoxide', env: process.env });
  const lines: string[] = [];
  const client = dynamodbClient(engine.endpoint);
  await createTable(client, defaultTableName);
  client.destroy();
  const dependencies = {
    ...compose({ TABLE_NAME: defaultTableName, DYNAMODB_ENDPOINT: engine.endpoint }),
    rateLimiter: new RateLimiter(1_000_000),
    managementGuard: 'open' as const,
    log: (line: string) => lines.push(line),
  };
  const { dynamodb, tableName, clock } = dependencies;
  const { appKey, project: loaded } = await loadProjectFile(projectFile, { dynamodb, tableName, now: clock() });
  const project = await findProject(new Table(dynamodb, tableName, clock()), loaded.id);
  if (!appKey || !project) throw new Error('the demo project was not loaded');
  const credentials = { 'x-app-id': appKey.app_id, 'x-app-token': appKey.app_token };
  const server = await startServer({ dependencies, port: 0 });

  const paramsOf = (operation: Operation): Readonly<Record<string, string>> => {
    if (operation === 'get-qr-asset') return { id: assetId(project, 'qr', 'TIDE-HELLO') };
    if (operation === 'get-barcode-asset') return { id: assetId(project, 'barcode', 'TIDE-HELLO') };
    return requestExamples[operation]?.params ?? {};
  };
  const all: [Operation, Route][] = Object.entries(routes).flatMap(([name, route]) => {
    const operation = operations.find((one) => one === name);
    return operation === undefined ? [] : [[operation, route]];
  });
  const measured = new Map<Operation, Measured>();
  try {
    for (const [operation, route] of all) {
      const params = paramsOf(operation);
      const path = route.path.replace(/\{(\w+)\+?\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none'));
      const form = typeof route.body === 'object' && route.body.format === 'form';
      const samples: Measured[] = [];
      for (let round = 0; round < warmUps + rounds; round++) {
        const aboutToken = operation === 'introspect-token' || operation === 'revoke-token';
        const body = aboutToken
          ? { access_token: await tokenFrom(server.baseUrl, credentials) }
          : bodyOf(operation, round);
        lines.length = 0;
        const before = process.cpuUsage();
        const reply = await fetch(`${server.baseUrl}${path}`, {
          method: route.method === 'ANY' ? 'GET' : route.method,
          headers: {
            ...credentials,
            ...(body === undefined
              ? {}
              : { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
          },
          ...(body === undefined
            ? {}
            : { body: form ? new URLSearchParams(Object(body)).toString() : JSON.stringify(body) }),
        });
        await reply.arrayBuffer();
        const { user, system } = process.cpuUsage(before);
        const line = lines.find((one) => one.includes(`"${operation}"`)) ?? '';
        const { status, dynamodb_calls, read_units, write_units } = v.parse(requestLine, JSON.parse(line));
        const expected = operation === 'unknown-path' ? 404 : route.reply.status;
        if (status !== expected) throw new Error(`${operation} answered ${status}`);
        samples.push({
          calls: dynamodb_calls,
          readUnits: read_units,
          writeUnits: write_units,
          cpuMs: (user + system) / 1000,
          logBytes: Buffer.byteLength(line) + assumed.otherLogBytes,
        });
      }
      const warm = samples.slice(warmUps);
      measured.set(operation, {
        calls: median(warm.map(({ calls }) => calls)),
        readUnits: median(warm.map(({ readUnits }) => readUnits)),
        writeUnits: median(warm.map(({ writeUnits }) => writeUnits)),
        cpuMs: median(warm.map(({ cpuMs }) => cpuMs)),
        logBytes: median(warm.map(({ logBytes }) => logBytes)),
      });
    }
  } finally {
    await server.close();
    await engine.stop();
  }
  return measured;
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(routes, name);
}
const operations = Object.keys(routes).filter(isOperation);

/** Dollars a million calls, by part. */
function costOf({ calls, readUnits, writeUnits, cpuMs, logBytes }: Measured, kilobytes: number) {
  const durationInMs = (cpuMs * memoryOfCoreInMb) / endpointMemorySizeInMb + calls * assumed.tableCallInMs;
  const startInMs = assumed.startInMs + kilobytes * assumed.startInMsPerKilobyte;
  const billedInMs = Math.ceil(durationInMs) + assumed.coldStarts * startInMs;
  const million = 1_000_000;
  const lambda =
    prices.requestOfFunction + (billedInMs / 1000) * (endpointMemorySizeInMb / 1024) * prices.gigabyteSecond;
  const parts = {
    gateway: prices.requestOfGateway * million,
    lambda: lambda * million,
    table: (readUnits * prices.readUnit + writeUnits * prices.writeUnit) * million,
    logsAndTraces: ((logBytes / 1e9) * prices.gigabyteOfLog + assumed.traced * prices.trace) * million,
  };
  return { durationInMs, ...parts, total: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

const workDir = await mkdtemp(join(tmpdir(), 'tessera-costs-'));
try {
  const bundles = await bundleFunctions(workDir);
  const rows = [...(await measure())].map(([operation, measured]) => {
    const kilobytes = (bundles[operation]?.gzipBytes ?? 0) / 1000;
    const cost = costOf(measured, kilobytes);
    const cells = [
      operation,
      kilobytes.toFixed(0),
      measured.readUnits.toFixed(1),
      measured.writeUnits.toFixed(1),
      cost.durationInMs.toFixed(0),
      ...[cost.gateway, cost.lambda, cost.table, cost.logsAndTraces, cost.total].map((part) => part.toFixed(2)),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const headings = [
    'endpoint',
    'KB',
    'read units',
    'write units',
    'ms',
    'gateway $',
    'Lambda $',
    'table $',
    'logs, traces $',
    'total $',
  ];
  process.stdout.write(`| ${headings.join(' | ')} |\n|---${'|--:'.repeat(headings.length - 1)}|\n${rows.join('\n')}\n`);
} finally {
  await rm(workDir, { recursive: true });
}

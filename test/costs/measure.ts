import { writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { projectRange } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { functionNameOf } from '../../infra/aws/shared-families.ts';
import { findOperation, type Operation, operations } from '../../infra/operations.ts';
import type { Request } from '../support/api-event.ts';
import { sharedBundle } from '../support/bundles.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { newClient, testDependencies, testTime } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { loadProject } from '../support/project.ts';
import { clientInRounds } from '../support/round-trips.ts';
import { deployed, idOf } from '../support/stack.ts';
import { resourcesIn } from '../support/template.ts';
import type { CallFigures, Measured } from './figures.ts';
import { tillCalls, tillShop } from './till-calls.ts';

/** Measures calls for `npm run costs`, in the engine, projects and containers that the tests have. */

const wanted = env.COSTS_OF?.split(',').filter(Boolean) ?? [];
const measuredOperations = operations.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

/** A container keeps what it has read from the second call on, while the version that it has seen before is current. */
const mostTurns = 4;

const logLine = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ dynamodb_calls: v.number(), read_units: v.number(), write_units: v.number() }),
);

const { stack, template } = deployed('full');
const memory = v.object({ Properties: v.object({ MemorySize: v.number() }) });

function memoryOf(name: string): number {
  const lambda = stack.endpoints.get(name);
  if (!lambda) throw new Error(`no function is called ${name}`);
  return v.parse(memory, resourcesIn(template, 'AWS::Lambda::Function')[idOf(lambda)]).Properties.MemorySize;
}

/** Gives the names that must be unique another value at each turn. */
function varied({ route }: Operation, request: Request, turn: number): Request {
  const unique = route.errors.includes('duplicate_found') ? ['name', 'source_id', 'code', 'email'] : ['source_id'];
  if (turn === 0 || typeof request.body !== 'object') return request;
  const fields = Object.entries(Object(request.body)).map(([field, value]) => [
    field,
    unique.includes(field) && typeof value === 'string' ? `${turn}-${value}` : value,
  ]);
  return Array.isArray(request.body) ? request : { ...request, body: Object.fromEntries(fields) };
}

/** Opens a container with a client that counts rounds. */
function container() {
  const { dynamodb, taken } = clientInRounds(newClient());
  return { dependencies: testDependencies({ dynamodb }), taken };
}

/** Repeats a call while it succeeds, and returns the figures of the last call. */
async function figuresOf(
  operation: Operation,
  requestAt: (turn: number) => Request,
  { dependencies, taken }: ReturnType<typeof container>,
): Promise<Omit<CallFigures, 'name'>> {
  const call = caller(operation.handler, dependencies);
  const { gzipBytes } = await sharedBundle(functionNameOf(operation));
  let last: Omit<CallFigures, 'name'> | undefined;
  for (let turn = 0; turn < mostTurns; turn++) {
    taken();
    const { status, body } = await call(requestAt(turn));
    if (status !== operation.route.reply.status && status !== 202) {
      expect([operation.name, turn > 0, body]).toEqual([operation.name, true, body]);
      break;
    }
    const line = dependencies.lines.at(-1) ?? '';
    const { dynamodb_calls: calls, read_units: readUnits, write_units: writeUnits } = v.parse(logLine, line);
    last = {
      isFirst: turn === 0,
      memoryMb: memoryOf(operation.name),
      bundleKb: Math.round(gzipBytes / 1_000),
      replyBytes: Buffer.isBuffer(body) ? body.length : Buffer.byteLength(JSON.stringify(body ?? '')),
      logBytes: Buffer.byteLength(line),
      rounds: taken().length,
      ...{ calls, readUnits, writeUnits },
    };
  }
  if (!last) throw new Error(`${operation.name} was not answered`);
  return last;
}

const result: Measured = { operations: [], tills: [] };

test.each(measuredOperations)('the example of $name', async (operation) => {
  const one = container();
  const requestTo = await requestsTo(await loadDemo(one.dependencies), one.dependencies);
  const request = requestTo(operation);
  const figures = await figuresOf(operation, (turn) => varied(operation, request, turn), one);
  result.operations.push({ name: operation.name, ...figures });
});

test.each(wanted.length === 0 ? tillCalls : tillCalls.filter((till) => wanted.includes(till.operation)))(
  '$name',
  async ({ name, operation, body }) => {
    const one = container();
    const { id, credentials: headers } = await loadProject(tillShop, one.dependencies);
    const table = new Table(newClient(), one.dependencies.tableName, testTime);
    const sizeOfAll = async () => {
      let bytes = 0;
      for await (const items of table.scan(projectRange(id))) bytes += Buffer.byteLength(JSON.stringify(items));
      return bytes;
    };
    const call = findOperation(operation);
    const figures = await figuresOf(call, (turn) => ({ headers, body: body(turn) }), one);
    const before = await sizeOfAll();
    await caller(call.handler, one.dependencies)({ headers, body: body(mostTurns) });
    result.tills.push({ name, operation, ...figures, keptBytes: (await sizeOfAll()) - before });
  },
);

test('the figures are written', async () => {
  if (!env.COSTS_FILE) throw new Error('COSTS_FILE must say where the figures go');
  await writeFile(env.COSTS_FILE, JSON.stringify(result));
});

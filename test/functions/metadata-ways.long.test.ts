import { describe, expect, test } from 'vitest';
import { standardResources } from '#kernel/core/metadata/definition.ts';
import { takesMetadata } from '#kernel/http/metadata-fields.ts';
import { findOperation, operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { metadataRows, metadataWays, notAWay } from '../support/metadata-ways.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadFile } from '../support/project.ts';

const checked = { checked: { type: 'number' } };

const project = await loadDemo();
const metadata_schemas = standardResources.map((related_object) => ({ related_object, properties: checked }));
await loadFile({ project: Object(project.file).project, metadata_schemas });

/** Returns the value with metadata at the place. Objects and lists on the way are added. */
function withMetadata(value: unknown, [step = '', ...others]: readonly string[], metadata: object): unknown {
  const isIndex = /^\d+$/.test(step);
  const own = Object(value ?? (isIndex ? [] : {}));
  const before = own[step];
  const after = others.length === 0 ? { ...Object(before), ...metadata } : withMetadata(before, others, metadata);
  if (Array.isArray(own))
    return own.map((one, index) => (index === Number(step) ? after : one)).concat(own.length === 0 ? [after] : []);
  return { ...own, [step]: after };
}

async function requestTo(name: string, place: string, value: unknown) {
  const operation = findOperation(name);
  const request = (await requestsTo(project, testDependencies()))(operation);
  const body = withMetadata(Object(request).body, place.split('.'), { checked: value });
  return { operation, send: () => caller(operation.handler)({ ...request, body }) };
}

const rowsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([name, places]) => places.map((place) => [name, place] as const));

describe('every way in', () => {
  test('is listed here', () => {
    const known = [metadataWays, metadataRows, notAWay].flatMap((table) => Object.keys(table));
    const taking = operations.filter(({ route }) => takesMetadata(route)).map(({ name }) => name);
    expect(known.toSorted()).toEqual(taking.toSorted());
  });

  test.each(rowsOf(metadataWays))('refuses metadata of another type: %s, %s', async (name, place) => {
    const { send } = await requestTo(name, place, 'x');
    const { status, body } = await send();
    expect([status, body.key, body.details]).toEqual([
      400,
      'metadata_validation_failed',
      expect.stringContaining('metadata.checked must be a number, but is "x"'),
    ]);
    const named = place.replaceAll(/(?:^|\.)(\d+)/g, '[$1]');
    expect(body.details).toContain(named);
  });

  test.each(Object.keys(metadataWays))('accepts metadata of the declared type: %s', async (name) => {
    const [place = ''] = metadataWays[name] ?? [];
    const { operation, send } = await requestTo(name, place, 7);
    const { status, body } = await send();
    expect([body?.details, status]).toEqual([undefined, operation.route.reply.status]);
  });

  test.each(rowsOf(metadataRows))('fails the rows of accepted work: %s, %s', async (name, place) => {
    const { send } = await requestTo(name, place, 'x');
    const { status, body } = await send();
    expect(status).toBe(202);
    await runOutbox(project.id);
    const params = { asyncActionId: body.async_action_id };
    const get = caller(findOperation('get-async-action').handler);
    const { result } = (await get({ headers: project.credentials, params })).body;
    expect(JSON.stringify(result)).toContain('metadata.checked must be a number, but is \\"x\\"');
  });
});

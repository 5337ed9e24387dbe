import type * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '#kernel/core/errors.ts';
import { maxMetadataBytes } from '#kernel/core/schema.ts';
import { maxKeyBytes } from '#kernel/core/storable.ts';
import { canTakeIdempotencyKey } from '#kernel/http/route.ts';
import { listRouteErrors } from '#kernel/http/route-errors.ts';
import { operations } from '../../infra/operations.ts';
import {
  bodyIn,
  componentIn,
  followed,
  type Json,
  operationIn,
  replyOf,
  resolved,
  theDocument,
  theOperation,
} from '../support/openapi.ts';

const document = theDocument();

/** Describes the parts of a valibot schema that the test reads, for any kind of schema. */
interface Node {
  type: string;
  entries?: Record<string, Node>;
  wrapped?: Node;
  item?: Node;
  value?: Node;
  options?: readonly unknown[];
}

/** Yields every field of a schema as a path, read from the schema itself and not through the converter. */
function fieldsOf(schema: Node, steps: readonly string[] = []): string[][] {
  return [
    ...Object.entries(schema.entries ?? {}).flatMap(([name, entry]) => [
      [...steps, name],
      ...fieldsOf(entry, [...steps, name]),
    ]),
    ...(schema.wrapped ? fieldsOf(schema.wrapped, steps) : []),
    ...(schema.item ? fieldsOf(schema.item, [...steps, '[]']) : []),
    ...(schema.value ? fieldsOf(schema.value, [...steps, '{}']) : []),
    ...(schema.options ?? []).flatMap((option) => (typeof option === 'object' ? fieldsOf(option as Node, steps) : [])),
  ];
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns whether the document has the field, or names it in the words of its other spelling. */
function hasField(document: Json, schema: Json, steps: readonly string[]): boolean {
  if (followed(document, schema, steps).length > 0) return true;
  const name = steps.at(-1) ?? '';
  const others = followed(document, schema, [...steps.slice(0, -1), camelCase(name)]);
  return others.some(({ description }) => String(description).includes(`\`${name}\` means the same.`));
}

/** Returns the parts of the code that a document lacks, in words. */
function missingFrom(document: Json): string[] {
  return operations.flatMap(({ name: operation, route }) => {
    const found = operationIn(document, operation);
    if (!found || found.path !== route.path || found.method !== route.method.toLowerCase()) return [operation];
    const parameters = (found.operation.parameters ?? []) as { in: string; name: string }[];
    const fields = (place: string, schema: v.GenericSchema | undefined, json: Json | undefined) =>
      (schema ? fieldsOf(schema as unknown as Node) : [])
        .filter((steps) => !json || !hasField(document, json, steps))
        .map((steps) => `${operation} ${place} ${steps.join('.')}`);
    const named = (place: string, schema: v.GenericSchema | undefined) =>
      (schema ? fieldsOf(schema as unknown as Node) : [])
        .filter(([name]) => !parameters.some((parameter) => parameter.in === place && parameter.name === name))
        .map(([name]) => `${operation} ${place} ${name}`);
    const errors = listRouteErrors(route).filter((key) => {
      const schema = replyOf(document, found.operation, errorCatalogue[key].status);
      const keys = followed(document, schema ?? {}, ['key'])[0]?.enum as string[] | undefined;
      return !keys?.includes(key);
    });
    const { reply } = route;
    return [
      ...named('path', route.params),
      ...named('query', route.query),
      ...(canTakeIdempotencyKey(route) && !parameters.some(({ name }) => name === 'Idempotency-Key')
        ? [`${operation} header Idempotency-Key`]
        : []),
      ...(typeof route.body === 'object' ? fields('body', route.body.schema, bodyIn(found.operation)?.schema) : []),
      ...(reply.kind === 'json' ? fields('reply', reply.schema, replyOf(document, found.operation, reply.status)) : []),
      ...(reply.status in (found.operation.responses as object) ? [] : [`${operation} ${reply.status}`]),
      ...errors.map((key) => `${operation} ${errorCatalogue[key].status} ${key}`),
    ];
  });
}

/** Returns a copy with a change. */
function changed(change: (copy: Json) => void): Json {
  const copy = structuredClone(document);
  change(copy);
  return copy;
}

describe('the document', () => {
  test('has every operation, parameter, field and error key of the code', () => {
    expect(missingFrom(document)).toEqual([]);
  });

  test('names every body, by its operation if no other operation uses it', () => {
    const nameless = operations.flatMap(({ name }) => {
      const { requestBody, responses } = theOperation(document, name) as { requestBody?: Json; responses: Json };
      const replies = Object.entries(responses).filter(([status]) => status < '300');
      return [requestBody, ...replies.map(([, reply]) => reply as Json)].flatMap((part) =>
        Object.values((part?.content ?? {}) as Record<string, { schema: Json }>)
          .filter(({ schema }) => Object.keys(schema).length > 0 && typeof schema.$ref !== 'string')
          .map(() => name),
      );
    });
    expect(nameless).toEqual([]);
    const taken = bodyIn(theOperation(document, 'create-voucher'))?.schema;
    expect(taken?.$ref).toBe('#/components/schemas/CreateVoucherRequest');
  });

  test('names the fields and the operators of the filters of a list', () => {
    const { parameters } = theOperation(document, 'list-customers') as { parameters: { name: string; schema: Json }[] };
    const schema = parameters.find(({ name }) => name === 'filters')?.schema ?? {};
    const [conditions] = followed(document, schema, ['created_at', 'conditions']);
    expect(conditions?.propertyNames).toMatchObject({ enum: expect.arrayContaining(['$after']) });
    expect(Object.keys(resolved(document, schema).patternProperties as Json)).toContain('^metadata\\.[\\s\\S]+$');
  });

  test('says which keys and numbers metadata may have', () => {
    const [metadata] = followed(document, componentIn(document, 'Customer'), ['metadata']);
    expect(metadata?.propertyNames).toEqual({ minLength: 1, maxLength: maxKeyBytes });
    expect(JSON.stringify(document)).toContain(`numbers within ±${Number.MAX_SAFE_INTEGER}`);
  });

  test('says how large metadata may be, and which keys and numbers it may have', () => {
    const body = bodyIn(theOperation(document, 'create-order'))?.schema ?? {};
    const [metadata] = followed(document, body, ['metadata']);
    expect(metadata?.propertyNames).toEqual({ minLength: 1, maxLength: maxKeyBytes });
    expect(metadata?.description).toContain(`${maxMetadataBytes} bytes as JSON`);
  });

  test.each<[string, string[]]>([
    ['create-category', ['name']],
    ['create-product', ['source_id']],
    ['create-campaign', ['name']],
    ['create-voucher', ['code']],
    ['create-customer', ['source_id']],
    ['create-publication', ['source_id']],
    ['create-order', ['source_id']],
    ['create-event-schema', ['name']],
  ])('says that a project has each value once: %s %j', (operation, steps) => {
    const body = bodyIn(theOperation(document, operation))?.schema ?? {};
    const [field] = followed(document, body, steps);
    expect(field?.description).toContain('Unique in the project');
  });

  test.each<[string, string[]]>([
    ['create-promotion-stack', ['tiers', 'ids']],
    ['create-stacking-rules', ['exclusive_categories']],
  ])('says that a list has each of its items once: %s %j', (operation, steps) => {
    const body = bodyIn(theOperation(document, operation))?.schema ?? {};
    expect(followed(document, body, steps)[0]?.uniqueItems).toBe(true);
  });

  test('says of every operation that its request line and headers may be too long', () => {
    const answers = operations.map(({ name }) => (theOperation(document, name).responses as Json)['431']);
    expect(new Set(answers.map((answer) => Object.keys((answer as Json).headers as Json).join()))).toEqual(
      new Set(['X-Request-Id']),
    );
  });

  test('has only operations of the code, each once', () => {
    const ids = Object.values(document.paths as Record<string, Json>).flatMap((path) =>
      Object.values(path as Record<string, Json>).map(({ operationId }) => operationId),
    );
    expect(ids.sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  test.each<[string, (copy: Json) => void, RegExp]>([
    ['a route', ({ paths }) => delete (paths as Json)['/v1/events'], /^send-event$/],
    [
      'a field of a body',
      (copy) => delete (componentIn(copy, 'CodeConfig').properties as Json).charset,
      /^create-campaign body voucher\.code_config\.charset$/,
    ],
    [
      'a field of a reply',
      (copy) => delete (componentIn(copy, 'Category').properties as Json).hierarchy,
      /^get-voucher reply categories\.\[\]\.hierarchy$/,
    ],
    [
      'a query parameter',
      (copy) => {
        theOperation(copy, 'list-promotion-tiers').parameters = [];
      },
      /^list-promotion-tiers query is_available$/,
    ],
    [
      'an error key',
      (copy) => delete (theOperation(copy, 'transfer-points').responses as Json)['429'],
      /^transfer-points 429 too_many_requests$/,
    ],
  ])('is reported as incomplete without %s', (_, change, told) => {
    expect(missingFrom(changed(change))).toEqual(expect.arrayContaining([expect.stringMatching(told)]));
  });
});

import jsonBodyParser from '@middy/http-json-body-parser';
import formBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { type ErrorKey, joinFaults, maxFaults, ServiceError } from '#kernel/core/errors.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import { findUnstorable, maxDepth } from '#kernel/core/storable.ts';
import { encodeParams, findIgnoredFields, ignoredFieldsHeader, writeIgnoredHeader } from './ignored-fields.ts';
import { hasTooManyParts, maxJsonParts } from './json-parts.ts';
import { findMoneySlips } from './money-fields.ts';
import { listParamNames, parseQuery } from './query.ts';
import type { Middleware } from './request-scope.ts';
import type { Body, Route } from './route.ts';
import { findIgnoredParams, isList, isTextFilter } from './unknown-params.ts';

/** Limits a body below the 6 MB of a Lambda event, and above the 400 KB of any item. */
export const maxBodyBytes = 4 * 1024 * 1024;

function parse<S extends v.GenericSchema>(schema: S, value: unknown, key: ErrorKey, root: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new ServiceError(key, { details: joinFaults(describeIssues(result.issues, root)) });
}

function bodyBytes({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): number {
  return isBase64Encoded ? Math.floor(body.length * 0.75) : Buffer.byteLength(body);
}

const formats = {
  json: { contentType: 'application/json', parser: jsonBodyParser() },
  form: { contentType: 'application/x-www-form-urlencoded', parser: formBodyParser() },
} as const;

type Format = keyof typeof formats;

function textOf({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string {
  return isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
}

/** Returns whether the body is JSON of any depth. V8's parser does not recurse, but the search for forbidden keys does. */
function isJson(event: APIGatewayProxyEventV2): boolean {
  try {
    JSON.parse(textOf(event));
    return true;
  } catch {
    return false;
  }
}

/** Turns a parser's failure into an error of the catalogue. The parser's own texts name the package, not the caller's mistake. */
function refusalOf(error: unknown, format: Format, event: APIGatewayProxyEventV2): unknown {
  if (!(error instanceof Error && 'statusCode' in error)) return error;
  if (error.statusCode === 415) {
    return new ServiceError('unsupported_media_type', {
      details: `the body must be sent as ${formats[format].contentType}`,
    });
  }
  return new ServiceError('invalid_payload', {
    details: error.message.startsWith('Forbidden key')
      ? 'the body must not have a key named __proto__, nor a constructor with a prototype'
      : isJson(event)
        ? `the body is nested too deep; a field can have at most ${maxDepth} levels`
        : 'the body must be JSON',
  });
}

/** Names that middy's parser searches for in JSON. They may be written as escapes. */
const lookedFor = /__proto__|constructor|\\u/;
/** A body with fewer objects and lists is never nested too deep for the search. */
const manyOpened = 500;

/**
 * Parses JSON without middy's parser, which visits each value and is several times slower. Returns `undefined` if that
 * parser is needed.
 */
function plainJson({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): { parsed: unknown } | undefined {
  if (isBase64Encoded || lookedFor.test(body)) return undefined;
  if (body.split('{', manyOpened).length + body.split('[', manyOpened).length >= manyOpened) return undefined;
  try {
    return { parsed: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/**
 * Runs middy's parser on a copy of the event, because the parser replaces the body. JSON that is parsed already has only its type checked.
 */
async function parsedBody(request: Parameters<NonNullable<Middleware['before']>>[0], format: Format): Promise<unknown> {
  if (format === 'json' && hasTooManyParts(textOf(request.event))) {
    throw new ServiceError('payload_too_large', {
      details: `the body must have at most ${maxJsonParts} lists and objects`,
    });
  }
  const plain = format === 'json' ? plainJson(request.event) : undefined;
  const body = plain ? 'null' : (request.event.body ?? '');
  const copy = { ...request, event: { ...request.event, body } };
  try {
    await formats[format].parser.before?.(copy);
  } catch (error) {
    throw refusalOf(error, format, request.event);
  }
  return plain ? plain.parsed : copy.event.body;
}

const ignoredBody = { format: 'json', schema: v.unknown() } as const;

/** Returns the names of query fields that are lists. */
function listsIn(query: Route['query']): ReadonlySet<string> {
  const isList = (schema: object): boolean =>
    ('type' in schema && schema.type === 'array') ||
    ('wrapped' in schema && typeof schema.wrapped === 'object' && schema.wrapped !== null && isList(schema.wrapped));
  const entries = query && 'entries' in query && typeof query.entries === 'object' ? query.entries : {};
  return new Set(Object.entries(entries ?? {}).flatMap(([name, schema]) => (isList(schema) ? [name] : [])));
}

/** Returns how to send content that exceeds the body. */
function describeRemedy(body: NonNullable<Route['body']>): string {
  if (body === 'ignored') return '';
  if (body.format === 'file') return ': ask for an address for the file by the JSON body {"size": <bytes>}';
  const hasRows = 'type' in body.schema && body.schema.type === 'array';
  return hasRows
    ? ': send its rows in several requests. Vouchers, customers, products and SKUs also come as a CSV file of up to 100 MB (importCSV)'
    : '';
}

/**
 * Returns the refusal of a body that exceeds the limit of every function. Gateways have higher limits, and refuse with
 * the same message.
 */
export function refuseLargeBody(body: Route['body']): ServiceError {
  const remedy = body === undefined ? '' : describeRemedy(body);
  return new ServiceError('payload_too_large', {
    details: `the body must have at most ${maxBodyBytes} bytes${remedy}`,
  });
}

/** Checks parameters, query and body against the route's schemas, and names all faults of each together. */
export function readInput(route: Route): Middleware {
  const lists = listsIn(route.query);
  const takesQuery = route.query !== undefined || isList(route);
  return {
    before: async (request) => {
      const { event, internal } = request;
      const { input } = internal.scope;
      if (route.params) {
        input.params = parse(route.params, event.pathParameters ?? {}, 'invalid_path_params', 'the path');
      }
      const params = takesQuery ? parseQuery(event.rawQueryString, lists) : {};
      const ignored = takesQuery ? findIgnoredParams(route, params) : listParamNames(event.rawQueryString);
      const tell = (fields: Iterable<string>) => {
        const header = writeIgnoredHeader(fields, encodeParams(ignored));
        if (header) internal.scope.replyHeaders[ignoredFieldsHeader] = header;
        return header !== undefined;
      };
      tell([]);
      const { filters, ...others } = params;
      const taken = isTextFilter('filters', filters) ? others : params;
      if (route.query) input.query = parse(route.query, taken, 'invalid_query_params', 'the query');
      if (route.body === undefined) return;
      if (bodyBytes(event) > maxBodyBytes) throw refuseLargeBody(route.body);
      const body: Body = route.body === 'ignored' ? ignoredBody : route.body;
      if (event.body) {
        input.body = body.format === 'file' ? await body.read(event) : await parsedBody(request, body.format);
      } else if (body.format !== 'json') {
        input.body = {};
      } else if (route.body !== 'ignored' && !v.is(body.schema, undefined)) {
        throw new ServiceError('invalid_payload', { details: 'a JSON body is required' });
      }
      if (route.body !== 'ignored' && !isRecord(input.body) && v.is(body.schema, undefined)) input.body = undefined;
      const sent = input.body;
      input.body = parse(body.schema, sent, 'invalid_payload', 'the body');
      const slips = tell(findIgnoredFields(sent, input.body)) ? findMoneySlips(sent, body.schema) : [];
      if (slips.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(slips) });
      // The table would refuse this value in any field, and the caller would get a 500 for a mistake in the request.
      const goesToTable = route.body !== 'ignored' && body.format !== 'file';
      const faults: string[] = [];
      // The error names a hundred faults, and counts the others.
      for (const fault of goesToTable ? findUnstorable(input.body) : [])
        faults.push(faults.length < maxFaults ? fault : '');
      if (faults.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults) });
    },
  };
}

import type * as v from 'valibot';
import { type ErrorKey, errorCatalogue } from '../lib/errors.ts';
import { type Operation, routes } from '../lib/routes/index.ts';
import { errorsOf, type Route } from '../lib/routes/route.ts';
import packageFile from '../package.json' with { type: 'json' };
import { components, inline } from './openapi/components.ts';
import { type RequestExample, replyExamples, requestExamples } from './openapi/examples.ts';
import { errorHeaders, headerParameters, headersOf, replyHeaders } from './openapi/headers.ts';
import { type Converted, convertSchemas, isJson, type Json, reachableFrom } from './openapi/schemas.ts';
import { notes, parameters, queries, tags } from './openapi/words.ts';

/** It answers what has no path of its own, and so has none in the document. */
export const undocumented: Operation = 'unknown-path';

const documented = Object.entries<Route>(routes).filter(([operation]) => operation !== undocumented);

/** By whatever name is asked for. */
const examples: {
  requests: Readonly<Record<string, RequestExample>>;
  replies: Readonly<Record<string, Json>>;
} = { requests: requestExamples, replies: replyExamples };
const wordsByOperation: Readonly<Record<string, string>> = notes;

const intro = `Send \`X-App-Id\` and \`X-App-Token\`, or a bearer token with the scope \`api\` or that of the path's family. Where there is an
\`Authorization\` header it alone decides.

Whatever is refused has the one error body: \`key\` is for programs, \`details\` names the place and the rule, \`request_id\` is the
reply's \`X-Request-Id\`. A path that is not here answers 404 \`not_found\`, and a path that is here with another method 405
\`method_not_allowed\`, with \`Allow\`. Unknown fields of a body and unknown query parameters are ignored.

Times are ISO 8601 with their offset; replies have UTC with milliseconds. Durations are ISO 8601: weeks alone, or the other
units, of which the seconds may have a fraction. Amounts are in minor currency units.`;

/** Swagger UI's dialog opens at its end: there stands what most readers have. */
const securitySchemes: Json = {
  iam: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'AWS Signature Version 4 of the service execute-api, where IAM guards the paths: the default on AWS.',
  },
  managementId: { type: 'apiKey', in: 'header', name: 'X-Management-Id', description: 'Where keys guard the paths.' },
  managementToken: { type: 'apiKey', in: 'header', name: 'X-Management-Token', description: 'Belongs to the id.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of POST /v1/oauth/token. What an operation names beside it is the scope that opens it.',
  },
  appId: { type: 'apiKey', in: 'header', name: 'X-App-Id', description: 'The app id of a key of the project.' },
  appToken: { type: 'apiKey', in: 'header', name: 'X-App-Token', description: 'The token that belongs to the app id.' },
};

/** Any one of the list lets a caller in. */
function securityOf(route: Route): Json[] {
  const appKey = { appId: [], appToken: [] };
  switch (route.authentication) {
    case 'server':
      return [appKey, { bearer: ['api'] }, { bearer: [route.scope] }];
    case 'app-key':
      return [appKey];
    // The local server leaves them open unless it is told otherwise.
    case 'management':
      return [{ iam: [] }, { managementId: [], managementToken: [] }, {}];
    case 'none':
      return [];
  }
}

const errorSchema: Json = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'The HTTP status.' },
    key: { type: 'string', enum: Object.keys(errorCatalogue), description: 'For programs: one situation each.' },
    message: { type: 'string', description: 'For people; the same for each key.' },
    details: { type: 'string', description: 'Which place broke which rule, and what is allowed.' },
    request_id: { type: 'string', description: "The reply's X-Request-Id, and the id in the log." },
    resource_id: { type: 'string', description: 'What the error is about, where it is about one thing.' },
    resource_type: { type: 'string' },
  },
  required: ['code', 'key', 'message', 'details', 'request_id'],
  examples: [
    {
      code: 404,
      key: 'not_found',
      message: errorCatalogue.not_found.message,
      details: 'no voucher has this id, code or name',
      request_id: '495dd2a7-b423-41e9-ae27-a8876a7ed673',
      resource_id: 'NOPE',
      resource_type: 'voucher',
    },
  ],
};

function errorReplies(route: Route): [string, Json][] {
  const byStatus = Map.groupBy(errorsOf(route), (key) => errorCatalogue[key].status);
  return [...byStatus].map(([status, keys]) => [String(status), errorReplyOf(route, status, keys)]);
}

function errorReplyOf(route: Route, status: number, keys: readonly ErrorKey[]): Json {
  return {
    description: keys.map((key) => `\`${key}\`: ${errorCatalogue[key].message}`).join('\n\n'),
    headers: { ...headersOf(route, status), ...errorHeaders[status] },
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Error',
          properties: { code: { const: status }, key: { enum: keys } },
        },
      },
    },
  };
}

const successWords = { 200: 'Done.', 204: 'Done; there is nothing to tell.' } as const;

function successOf(route: Route, schema: Json | undefined): Json {
  const { reply } = route;
  const headers = headersOf(route, reply.status);
  const common = { description: successWords[reply.status], headers };
  switch (reply.kind) {
    case 'json': {
      const own = Object.entries(reply.headers ?? {}).map(([name, value]) => [name, { schema: { const: value } }]);
      return {
        ...common,
        headers: { ...headers, ...Object.fromEntries(own) },
        content: { 'application/json': { schema } },
      };
    }
    case 'empty':
      return common;
    case 'image':
      return {
        ...common,
        // Bytes have no schema; SVG is text.
        content: Object.fromEntries(
          reply.types.map((type) => [type, { schema: type === 'image/svg+xml' ? { type: 'string' } : {} }]),
        ),
      };
  }
}

function wordsOf(words: Readonly<Record<string, string>>, name: string): string {
  const found = words[name];
  if (found === undefined) throw new Error(`infra/openapi/words.ts has none for ${name}`);
  return found;
}

function partsOf(object: Json | undefined): { properties: [string, Json][]; required: ReadonlySet<unknown> } {
  const properties = isJson(object?.properties) ? Object.entries(object.properties) : [];
  return {
    properties: properties.map(([name, schema]) => [name, isJson(schema) ? schema : {}]),
    required: new Set(Array.isArray(object?.required) ? object.required : []),
  };
}

/** A query's texts as the values that they stand for. */
function queryValue({ default: fallback, ...schema }: Json): Json {
  if (fallback === undefined) return schema;
  return { ...schema, default: schema.type === 'integer' ? Number(fallback) : fallback };
}

function pathParameters(route: Route, schema: Json | undefined, example: RequestExample['params'] = {}): Json[] {
  return partsOf(schema).properties.map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    description: wordsOf(parameters, name === 'id' && route.path.startsWith('/v1/assets/') ? 'assetId' : name),
    schema: { ...schema, minLength: 1 },
    ...(name in example ? { example: example[name] } : {}),
  }));
}

function queryParameters(schema: Json | undefined): Json[] {
  const { properties, required } = partsOf(schema);
  return properties.map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    description: wordsOf(queries, name),
    schema: queryValue(schema),
  }));
}

const bodyTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

function requestBody({ body }: Route, schema: Json = {}, example?: RequestExample['body']): Json | undefined {
  if (body === undefined) return undefined;
  if (body === 'ignored') {
    return { description: 'May be sent, and has no effect.', content: { [bodyTypes.json]: { schema: {} } } };
  }
  // A page has one input for each field of a form, and takes what it prefills from there.
  const content =
    body.format === 'form'
      ? { schema: withFieldExamples(schema, example) }
      : { schema, ...(example ? { example } : {}) };
  return { required: true, content: { [bodyTypes[body.format]]: content } };
}

function withFieldExamples(schema: Json, example: RequestExample['body']): Json {
  const values = isJson(example) ? example : {};
  const properties = partsOf(schema).properties.map(([name, field]) => [
    name,
    name in values ? { ...field, examples: [values[name]] } : field,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** `/v1/vouchers/…` and `/management/v1/…` are of these families. */
function tagOf({ path }: Route): string {
  const [, first = '', second = ''] = path.split('/');
  return first === 'v1' ? second : first;
}

function operationOf(operation: string, route: Route, { requests, replies }: Converted): Json {
  const example = examples.requests[operation];
  const note = wordsByOperation[operation];
  const body = requestBody(route, requests[`${operation} body`], example?.body);
  const found = [
    ...pathParameters(route, requests[`${operation} params`], example?.params),
    ...queryParameters(requests[`${operation} query`]),
    ...headerParameters(route),
  ];
  const refusals = errorReplies(route).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operationId: operation,
    summary: route.summary,
    ...(note === undefined ? {} : { description: note }),
    tags: [tagOf(route)],
    security: securityOf(route),
    ...(found.length > 0 ? { parameters: found } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { [route.reply.status]: successOf(route, replies[operation]), ...Object.fromEntries(refusals) },
  };
}

function convertRoutes(): Converted {
  const requests: Record<string, v.GenericSchema> = {};
  const replies: Record<string, v.GenericSchema> = {};
  for (const [operation, { params, query, body, reply }] of documented) {
    if (params) requests[`${operation} params`] = params;
    if (query) requests[`${operation} query`] = query;
    if (typeof body === 'object') requests[`${operation} body`] = body.schema;
    if (reply.kind === 'json') replies[operation] = reply.schema;
  }
  return convertSchemas({ components, inline, requests, replies });
}

function usedSchemas(all: Readonly<Record<string, Json>>, paths: Json): Json {
  const used = reachableFrom(paths, all);
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

function withExample(name: string, schema: Json): Json {
  const example = examples.replies[name];
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** The interface as OpenAPI 3.1: of each route what it takes, answers and refuses, as its schemas and error keys say. */
export function openapiDocument(): Json {
  const converted = convertRoutes();
  const byPath = Map.groupBy(documented, ([, { path }]) => path);
  const paths = Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(
        operations.map(([operation, route]) => [route.method.toLowerCase(), operationOf(operation, route, converted)]),
      ),
    ]),
  );
  const schemas = Object.fromEntries(
    Object.entries(converted.components).map(([name, schema]) => [name, withExample(name, schema)]),
  );
  const usedTags = new Set(documented.map(([, route]) => tagOf(route)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: packageFile.version,
      summary: 'Promotions and loyalty behind a JSON API.',
      description: intro,
      license: { name: packageFile.license, identifier: packageFile.license },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    tags: [...usedTags].map((name) => ({ name, description: wordsOf(tags, name) })),
    paths,
    components: {
      securitySchemes,
      headers: replyHeaders,
      schemas: usedSchemas({ ...schemas, Error: errorSchema }, paths),
    },
  };
}

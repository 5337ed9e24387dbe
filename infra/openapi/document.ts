import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { type ErrorKey, errorCatalogue } from '#kernel/core/errors.ts';
import type { Example, Route } from '#kernel/http/route.ts';
import { listRouteErrors } from '#kernel/http/route-errors.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { type Operation, operations } from '../operations.ts';
import { buildErrorExamples, errorSchema } from './errors.ts';
import { filterSchemas } from './filter-schemas.ts';
import { errorHeaders, listHeaderParameters, listReplyHeaders, replyHeaders } from './headers.ts';
import { nameBodies } from './names.ts';
import { answeredInNewProject } from './new-project.ts';
import { listPathParameters, listQueryParameters, splitObjectSchema } from './parameters.ts';
import { plainComponents, plainPaths } from './plain-document.ts';
import replyExamples from './reply-examples.json' with { type: 'json' };
import { type Converted, convertSchemas, findReachable, isJson, type Json } from './schemas.ts';
import { listSecurity, listSecuritySchemes } from './security.ts';
import { describeTag, sortFamiliesByUse } from './words.ts';

const examples: Readonly<Record<string, Json>> = replyExamples;

const intro = `Send \`X-App-Id\` and \`X-App-Token\`, or a bearer token with the scope \`api\` or the scope of the path's family. An
\`Authorization\` header alone decides if it is sent.

Every refusal has the same error body. \`key\` is for programs, \`details\` names the place and the rule, and \`request_id\` is the
reply's \`X-Request-Id\`. An unknown path answers 404 \`not_found\`. A known path with another method answers 405
\`method_not_allowed\`, with \`Allow\`. A request line and headers that are too long answer 431
\`request_header_fields_too_large\`. API Gateway answers them in a deployment, with a body that it chooses. Unknown fields of a body and unknown query parameters are ignored.

Times are ISO 8601 with their offset. Replies have UTC with milliseconds. Durations are ISO 8601: weeks alone, or the other
units, of which the last may have a fraction. Amounts are in minor currency units.

Examples of requests name objects of the demo project. \`npm start\` serves it on your machine, and
\`npm run load -- infra/local/demo-project.json\` loads it into the table of a trial, with its published keys. A project without these objects answers most examples
with 404. Examples that create something and need no other object also succeed in a new project:
${answeredInNewProject.map((name) => `\`${name}\``).join(', ')}.`;

function errorReplies(route: Route): [string, Json][] {
  const byStatus = Map.groupBy(listRouteErrors(route), (key) => errorCatalogue[key].status);
  return [...byStatus].map(([status, keys]) => [String(status), errorReplyOf(route, status, keys)]);
}

function errorReplyOf(route: Route, status: number, keys: readonly ErrorKey[]): Json {
  return {
    description: keys.map((key) => `\`${key}\`: ${errorCatalogue[key].message}`).join('\n\n'),
    headers: { ...listReplyHeaders(route, status), ...errorHeaders[status] },
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Error',
          properties: { code: { const: status }, key: { enum: keys } },
        },
        examples: Object.fromEntries(keys.map((key) => [key, { $ref: `#/components/examples/${key}` }])),
      },
    },
  };
}

function successOf(route: Route, schema: Json | undefined): Json {
  const { reply } = route;
  const headers = listReplyHeaders(route, reply.status);
  const common = { description: route.answers, headers };
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
        // Bytes have no schema. SVG is text.
        content: Object.fromEntries(
          reply.types.map((type) => [type, { schema: type === 'image/svg+xml' ? { type: 'string' } : {} }]),
        ),
      };
  }
}

/** Maps a status to its reply: work that is done, and work that is only accepted. */
function successesOf(route: Route, name: string, replies: Converted['replies']): Json {
  const { reply } = route;
  const done = { [reply.status]: successOf(route, replies[name]) };
  if (reply.kind !== 'json' || !reply.accepted) return done;
  const content = { 'application/json': { schema: replies[acceptedBy(name)] } };
  return {
    ...done,
    202: {
      description: 'The work is accepted. It is done after the reply.',
      headers: listReplyHeaders(route, 202),
      content,
    },
  };
}

const acceptedBy = (name: string) => `${name} accepted`;

const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  file: 'multipart/form-data',
} as const;

function requestBody(
  { body }: Route,
  { schema = {}, json }: { schema: Json | undefined; json: Json | undefined },
  example?: Example['body'],
): Json | undefined {
  if (body === undefined) return undefined;
  if (body === 'ignored') {
    return { description: 'A body may be sent, but it has no effect.', content: { [bodyTypes.json]: { schema: {} } } };
  }
  // The docs page has one input for each field of a form, and prefills it with the field's example.
  const content =
    body.format !== 'json'
      ? { schema: withFieldExamples(schema, example) }
      : { schema, ...(example ? { example } : {}) };
  const beside = json ? { [bodyTypes.json]: { schema: json } } : {};
  return { required: !v.is(body.schema, undefined), content: { [bodyTypes[body.format]]: content, ...beside } };
}

function withFieldExamples(schema: Json, example: Example['body']): Json {
  const values = isJson(example) ? example : {};
  const properties = splitObjectSchema(schema).properties.map(([name, field]) => [
    name,
    name in values ? { ...field, examples: [values[name]] } : field,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function operationOf({ name, family, route }: Operation, { requests, replies }: Converted): Json {
  const { summary, note, example } = route;
  const described = { schema: requests[`${name} body`], json: requests[`${name} json body`] };
  const body = requestBody(route, described, example.body);
  const found = [
    ...listPathParameters(route, requests[`${name} params`], example.params),
    ...listQueryParameters(requests[`${name} query`], example.query),
    ...listHeaderParameters(route),
  ];
  const refusals = errorReplies(route).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operationId: name,
    summary,
    ...defined({ description: note }),
    tags: [family],
    security: listSecurity(route),
    ...(found.length > 0 ? { parameters: found } : {}),
    ...defined({ requestBody: body }),
    responses: { ...successesOf(route, name, replies), ...Object.fromEntries(refusals) },
  };
}

function convertRoutes(): Converted {
  const requests: Record<string, v.GenericSchema> = {};
  const replies: Record<string, v.GenericSchema> = {};
  for (const { name, route } of operations) {
    const { params, query, body, reply } = route;
    if (params) requests[`${name} params`] = params;
    if (query) requests[`${name} query`] = query;
    if (typeof body === 'object') requests[`${name} body`] = body.format === 'file' ? body.form : body.schema;
    if (typeof body === 'object' && body.format === 'file') requests[`${name} json body`] = body.json;
    if (reply.kind === 'json') replies[name] = reply.schema;
    if (reply.kind === 'json' && reply.accepted) replies[acceptedBy(name)] = reply.accepted;
  }
  return convertSchemas({ requests, replies });
}

function usedSchemas(all: Readonly<Record<string, Json>>, paths: Json): Record<string, Json> {
  const used = findReachable(paths, all);
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

function withExample(name: string, schema: Json): Json {
  const example = examples[name];
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** Builds the interface as OpenAPI 3.1. Schemas and error keys define what each route accepts, answers and refuses. */
export function buildOpenapiDocument(): Json {
  const converted = convertRoutes();
  const byPath = Map.groupBy(operations, ({ route }) => route.path);
  const { paths, components } = nameBodies(
    Object.fromEntries(
      [...byPath].map(([path, found]) => [
        path,
        Object.fromEntries(
          found.map((operation) => [operation.route.method.toLowerCase(), operationOf(operation, converted)]),
        ),
      ]),
    ),
  );
  const schemas = Object.fromEntries(
    Object.entries(converted.components).map(([name, schema]) => [name, withExample(name, schema)]),
  );
  const plain = plainPaths(paths);
  const used = usedSchemas({ ...schemas, ...components, ...filterSchemas, Error: errorSchema }, paths);
  const families = new Set(operations.map(({ family }) => family));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: packageFile.version,
      summary: 'Promotions and loyalty with a JSON API.',
      description: intro,
      license: { name: packageFile.license, identifier: packageFile.license },
    },
    servers: [{ url: '/', description: 'The server of this document.' }],
    tags: sortFamiliesByUse(families).map((name) => ({ name, ...describeTag(name) })),
    paths: plain.paths,
    components: {
      securitySchemes: listSecuritySchemes(operations.map(({ route }) => route)),
      headers: replyHeaders,
      examples: buildErrorExamples(operations.flatMap(({ route }) => listRouteErrors(route))),
      schemas: plainComponents(used, plain.components),
    },
  };
}

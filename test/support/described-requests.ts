import fc from 'fast-check';
import type { Route } from '#kernel/http/route.ts';
import type { Operation } from '../../infra/operations.ts';
import { formats } from './api-event.ts';
import { anyJson, describedBy, spoilt } from './arbitrary.ts';
import type { requestsTo } from './one-of-each.ts';
import { bodyIn, type Json, theOperation } from './openapi.ts';
import type { TestProject } from './project.ts';
import { bearer } from './tokens.ts';

/** The resources that a generated request may name. */
export interface World {
  project: TestProject;
  /** Texts that are ids, names, codes or tokens of the project. */
  known: string[];
  tokens: { all: string; none: string };
  requestTo: Awaited<ReturnType<typeof requestsTo>>;
}

/** A generated request, and what the document says about it. */
export interface Case {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body: unknown;
  way: 'as described' | 'with a body that is none' | 'with a body that is spoilt' | 'with a query that is spoilt';
}

const credentialsOf = ({ project, tokens }: World, { authentication }: Route) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(authentication === 'client' ? bearer(tokens.none) : project.credentials) },
    { weight: 4, arbitrary: fc.constant(bearer(tokens.all)) },
    { weight: 1, arbitrary: fc.constantFrom({}, bearer(tokens.none), bearer('x'), { authorization: 'Basic eDp5' }) },
    { weight: 1, arbitrary: fc.constant({ ...project.credentials, 'x-app-token': 'guessed' }) },
  );

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
}

export function casesOf(document: Json, operation: Operation, world: World): fc.Arbitrary<Case> {
  const described = theOperation(document, operation.name);
  const options = { document, known: world.known };
  const parameters = (described.parameters ?? []) as unknown as Parameter[];
  const valuesIn = (place: string) => {
    const some = parameters.filter((parameter) => parameter.in === place);
    return fc.record(Object.fromEntries(some.map(({ name, schema }) => [name, describedBy(schema, options)])), {
      requiredKeys: some.filter(({ required }) => required).map(({ name }) => name),
      noNullPrototype: true,
    }) as fc.Arbitrary<Record<string, unknown>>;
  };
  const taken = bodyIn(described);
  const bodies = taken ? describedBy(taken.schema, options) : fc.constant(undefined);
  const example = world.requestTo(operation);
  const params = fc.oneof(valuesIn('path'), fc.constant(example.params ?? {}));
  const base = fc.record({
    params,
    query: fc.oneof(valuesIn('query'), fc.constant(Object.fromEntries(new URLSearchParams(example.query)))),
    headers: credentialsOf(world, operation.route),
    body: taken ? fc.oneof({ weight: 4, arbitrary: bodies }, fc.constant(example.body ?? {})) : bodies,
  });
  return base.chain((drawn) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Case>({ ...drawn, way: 'as described' }) },
      ...(taken
        ? [
            {
              weight: 4,
              arbitrary: spoilt(drawn.body).map<Case>((body) => ({
                ...drawn,
                body,
                way: 'with a body that is spoilt',
              })),
            },
            { weight: 1, arbitrary: fc.constant<Case>({ ...drawn, way: 'with a body that is none' }) },
          ]
        : []),
      ...(parameters.some((parameter) => parameter.in === 'query')
        ? [
            {
              weight: 2,
              arbitrary: fc
                .dictionary(fc.constantFrom(...parameters.map(({ name }) => name)), anyJson, { noNullPrototype: true })
                .map<Case>((query) => ({ ...drawn, query, way: 'with a query that is spoilt' })),
            },
          ]
        : []),
    ),
  );
}

/** Draws the documented request, as well as all others. */
export function exampleCase(document: Json, operation: Operation, { project, requestTo }: World): Case {
  const { params = {}, query, body = {} } = requestTo(operation);
  return {
    params,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: project.credentials,
    body: bodyIn(theOperation(document, operation.name)) && body,
    way: 'as described',
  };
}

/** Writes a value as the text of a path, a query or a form. */
function asText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

function textsOf(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The document names the type without its boundary. */
const fileType = 'multipart/form-data';

/** Returns the body that is sent, and the value that the document's schema describes. */
export function bodyOf({ body, way }: Case, type: string | undefined): { text?: string; value?: unknown } {
  if (type === undefined) return {};
  if (type !== formats.json.type) {
    const value = textsOf(isObject(body) ? body : { '': body });
    return { text: (type === formats.form.type ? formats.form : formats.file).write(value), value };
  }
  return { text: way === 'with a body that is none' ? '{"a":' : JSON.stringify(body), value: body };
}

export interface Sent {
  method: string;
  /** The path of the request line. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export function sentOf({ method, path }: Route, drawn: Case, type: string | undefined): Sent {
  const { params, query, headers } = drawn;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(params[name] ?? 'x')));
  const search = new URLSearchParams(textsOf(query)).toString();
  return {
    method,
    path: search === '' ? filled : `${filled}?${search}`,
    headers: {
      ...headers,
      ...(type === undefined ? {} : { 'content-type': type === fileType ? formats.file.type : type }),
    },
    body: bodyOf(drawn, type).text,
  };
}

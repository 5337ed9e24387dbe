import { defined } from '#kernel/core/defined.ts';
import { buildOpenapiDocument } from '../openapi/document.ts';
import { isJson, type Json } from '../openapi/schemas.ts';
import { findOperation } from '../operations.ts';
import { type Chosen, chosenOperations } from './chosen.ts';
import { shareRepeated } from './share-repeated.ts';
import type { Tool } from './tool.ts';

const schemasPath = '#/components/schemas/';

const encoding = 'must be well-formed Unicode';

/** Leaves out a rule that the text of a model never breaks, and shortens limits of lengths, because each tool repeats them. */
const shortRules = (words: string) =>
  words
    .replaceAll(`${encoding}; `, '')
    .replaceAll(` The value ${encoding}.`, '')
    .replaceAll(/The value must have at most (\d+ characters\.)/g, 'At most $1');

/** Moves references to the definitions of one tool, and notes which schemas it needs. */
function localise(node: unknown, needed: Set<string>): unknown {
  if (Array.isArray(node)) return node.map((one) => localise(one, needed));
  if (!isJson(node)) return node;
  const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    // Examples would make the list of tools several times as long.
    if (key === 'example' || key === 'examples') return [];
    if (key === '$ref' && typeof value === 'string' && value.startsWith(schemasPath)) {
      const name = value.slice(schemasPath.length);
      needed.add(name);
      return [[key, `#/$defs/${name}`]];
    }
    if (key === 'description' && typeof value === 'string') return [[key, shortRules(value)]];
    return [[key, localise(value, needed)]];
  });
  return Object.fromEntries(entries);
}

function definitionsOf(needed: Set<string>, schemas: Json): Json {
  const definitions: Record<string, unknown> = {};
  // The set grows while its schemas are moved.
  for (const name of needed) definitions[name] = localise(schemas[name], needed);
  return definitions;
}

const at = (node: Json, ...steps: readonly string[]): Json =>
  steps.reduce<Json>((inner, step) => {
    const next = inner[step];
    return isJson(next) ? next : {};
  }, node);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: unknown;
}

/** Returns the schema that a reference leads to. */
function resolved(schema: unknown, schemas: Json): unknown {
  const $ref = isJson(schema) ? schema.$ref : undefined;
  return typeof $ref === 'string' ? schemas[$ref.slice(schemasPath.length)] : schema;
}

/** Describes a filter in a sentence, because the schemas of all its operators are longer than the rest of the tool. */
function shortFilter(schema: unknown): Json {
  const fields = isJson(schema) ? Object.keys(at(schema, 'properties')).filter((name) => name !== 'junction') : [];
  return {
    type: 'object',
    description: `Conditions by field, such as {"${fields[0] ?? 'id'}": {"conditions": {"$is": ["value"]}}}. Fields: ${fields.join(', ')}. An unknown field or operator is refused, naming those known.`,
  };
}

function parametersOf({ parameters }: Json, schemas: Json): Parameter[] {
  return (Array.isArray(parameters) ? parameters : []).filter(isJson).flatMap((one) => {
    const { name, in: place, required, description, schema } = one;
    if (typeof name !== 'string' || (place !== 'path' && place !== 'query')) return [];
    const described = { ...Object(schema), ...(description === undefined ? {} : { description }) };
    return [
      {
        name,
        in: place,
        required: required === true,
        schema: name === 'filters' ? shortFilter(resolved(schema, schemas)) : described,
      },
    ];
  });
}

/** Returns the body as the tool offers it. */
function bodyFor(body: Json, { preview, leavesOut = [], needs }: Chosen, schemas: Json): unknown {
  const hidden = [...leavesOut, ...(preview ? ['dry_run'] : [])];
  if (hidden.length === 0) return body;
  const whole = resolved(body, schemas);
  if (!isJson(whole)) return body;
  const fields = Object.entries(at(whole, 'properties')).filter(([field]) => !hidden.includes(field));
  return { ...whole, properties: Object.fromEntries(fields), ...defined({ required: needs }) };
}

function buildTool(name: string, document: Json): Tool {
  const chosen = chosenOperations.get(name) ?? {};
  const { when, acts, preview } = chosen;
  const { route, addOn } = findOperation(preview?.of ?? name);
  const { method, path, answers } = route;
  const { title, note } = preview ?? { title: route.summary, note: route.note };
  const described = at(document, 'paths', path, method.toLowerCase());
  const schemas = at(document, 'components', 'schemas');
  const parameters = parametersOf(described, schemas);
  const body = at(described, 'requestBody', 'content', 'application/json').schema;
  const needed = new Set<string>();
  const properties = Object.fromEntries(parameters.map((one) => [one.name, localise(one.schema, needed)]));
  const bodies = isJson(body) ? { body: localise(bodyFor(body, chosen, schemas), needed) } : {};
  const fields = isJson(body) ? 'Send fields in `body`.' : undefined;
  const required = parameters.flatMap((one) => (one.required ? [one.name] : []));
  const definitions = definitionsOf(needed, schemas);
  return {
    name,
    title,
    description: [`${title}.`, when, note, fields, `Answer: ${answers}`].filter(Boolean).join(' '),
    method,
    path,
    query: parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
    ...defined({ acts, addOn, operation: preview?.of, ...(preview ? { fixed: { dry_run: true } } : {}) }),
    inputSchema: shareRepeated({
      type: 'object',
      properties: { ...properties, ...bodies },
      required: [...required, ...Object.keys(bodies)],
      ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
    }),
  };
}

/** Builds the tools from the descriptions of the operations. */
export function buildTools(): readonly Tool[] {
  const document = buildOpenapiDocument();
  return [...chosenOperations.keys()].map((name) => buildTool(name, document));
}

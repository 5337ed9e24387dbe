import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { buildOpenapiDocument } from '../../infra/openapi/document.ts';

/** A part of an OpenAPI document. */
export type Json = Record<string, unknown>;

let made: Json | undefined;

/** Returns the document, made once for all tests of a process. Tests only read it and what is compiled for it. */
export function theDocument(): Json {
  made ??= buildOpenapiDocument();
  return made;
}

export function resolved(document: Json, schema: Json): Json {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...beside } = schema;
  const steps = $ref.replace('#/', '').split('/');
  const found = steps.reduce<Json>((part, step) => (part[step] ?? {}) as Json, document);
  const properties = { ...(found.properties as Json), ...(beside.properties as Json | undefined) };
  return { ...found, ...beside, ...(found.properties ? { properties } : {}) };
}

/** Returns the schemas at the end of the steps. A step is a field's name, `[]` for array elements, or `{}` for other keys. */
export function followed(document: Json, schema: Json, steps: readonly string[]): Json[] {
  const here = resolved(document, schema);
  const options = [here.anyOf, here.oneOf].flatMap((some) => (some ?? []) as Json[]);
  const [step, ...rest] = steps;
  if (step === undefined) return [here];
  const next =
    step === '[]' ? here.items : step === '{}' ? here.additionalProperties : (here.properties as Json)?.[step];
  return [
    ...(typeof next === 'object' ? followed(document, next as Json, rest) : []),
    ...options.flatMap((option) => followed(document, option, steps)),
  ];
}

export function operationIn(document: Json, operationId: string) {
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Json>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === operationId) return { path, method, operation };
    }
  }
  return undefined;
}

/** Returns the operation, or throws if the document lacks it. */
export function theOperation(document: Json, operationId: string): Json {
  const found = operationIn(document, operationId);
  if (!found) throw new Error(`${operationId} is not in the document`);
  return found.operation;
}

export function componentIn(document: Json, name: string): Json {
  return (document.components as { schemas: Record<string, Json> }).schemas[name] ?? {};
}

/** Returns the type and schema of the body that an operation accepts. */
export function bodyIn(operation: Json): { type: string; schema: Json } | undefined {
  const { content } = (operation.requestBody ?? {}) as { content?: Record<string, { schema: Json }> };
  const [found] = Object.entries(content ?? {});
  return found && { type: found[0], schema: found[1].schema };
}

/** Returns the JSON schema of a reply with this status. */
export function replyOf(document: Json, operation: Json, status: number): Json | undefined {
  const reply = (operation.responses as Record<string, Json>)?.[status];
  const schema = (reply?.content as Record<string, { schema: Json }> | undefined)?.['application/json']?.schema;
  return schema && (schema.$ref ? { ...schema } : resolved(document, schema));
}

/** Forbids undocumented fields in all objects of a schema. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  const isClosed = inner.type === 'object' || (Array.isArray(inner.type) && inner.type.includes('object'));
  return isClosed && inner.properties && !('additionalProperties' in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** `closed` allows no undocumented field, for replies. `open` allows them, for requests. */
type Manner = 'closed' | 'open';

const compiled = new WeakMap<Json, Map<string, { ajv: Ajv2020; validators: Map<string, ValidateFunction> }>>();

function compilerOf(document: Json, manner: Manner) {
  const ofDocument = compiled.get(document) ?? new Map();
  compiled.set(document, ofDocument);
  const made = ofDocument.get(manner);
  if (made) return made;
  const { 'date-time': dateTime, date, email } = fullFormats;
  // A duration's pattern checks everything. The JSON Schema format has no fractions of seconds.
  const formats = { 'date-time': dateTime, date, email, duration: true as const };
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  const { components } = document;
  ajv.addSchema({ $id: 'openapi', components: manner === 'closed' ? closed(components) : components });
  const compiler = { ajv, validators: new Map<string, ValidateFunction>() };
  ofDocument.set(manner, compiler);
  return compiler;
}

/** Returns a check of values against a schema of the document, with formats. */
export function validatorOf(document: Json, schema: Json | false, manner: Manner = 'closed'): ValidateFunction {
  const { ajv, validators } = compilerOf(document, manner);
  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
  const known = validators.get(text);
  if (known) return known;
  const parsed = JSON.parse(text);
  const validate = ajv.compile((manner === 'closed' ? closed(parsed) : parsed) as Json);
  validators.set(text, validate);
  return validate;
}

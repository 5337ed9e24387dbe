import { addDescriptions } from './described-properties.ts';
import { toPlainSchema } from './plain-schemas.ts';
import { isJson, type Json } from './schemas.ts';
import { pascal } from './union-names.ts';

type Schemas = Readonly<Record<string, Json>>;

/** Joins components. The same name with another schema is a mistake in the names. */
function joined(...parts: readonly Schemas[]): Record<string, Json> {
  const all: Record<string, Json> = {};
  for (const [name, schema] of parts.flatMap((part) => Object.entries(part))) {
    if (name in all && JSON.stringify(all[name]) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${name}`);
    all[name] = schema;
  }
  return all;
}

/** Rewrites all components in the form that generators read, and adds those that unions need. */
export function plainComponents(schemas: Schemas, more: Schemas): Record<string, Json> {
  const found = Object.entries(schemas).map(([name, schema]) => {
    const { schema: own, components } = toPlainSchema(name, addDescriptions(schema), true);
    return joined({ [name]: own }, components);
  });
  return joined(...found, more);
}

/**
 * Two spellings of a parameter, such as `assignmentId` and `assignment_id`, are the same name in Go. The second gets a
 * different name there.
 */
function withDistinctNames(parameters: readonly unknown[]): unknown[] {
  const nameOf = (parameter: unknown) => (isJson(parameter) ? pascal(String(parameter.name)) : '');
  return parameters.map((parameter, index) => {
    const isRepeated = parameters.slice(0, index).some((earlier) => nameOf(earlier) === nameOf(parameter));
    return isJson(parameter) && isRepeated ? { ...parameter, 'x-go-name': `${nameOf(parameter)}2` } : parameter;
  });
}

/** Rewrites the schemas of parameters. A union of a parameter is named by its operation. */
export function plainPaths(paths: Json): { paths: Json; components: Record<string, Json> } {
  const found: Schemas[] = [];
  const plainParameter = (operation: string, parameter: unknown): unknown => {
    if (!isJson(parameter) || !isJson(parameter.schema)) return parameter;
    const { schema, description } = parameter;
    const place = pascal(operation) + pascal(String(parameter.name));
    // A parameter has its description outside its schema.
    const plain = toPlainSchema(
      place,
      { ...addDescriptions(schema), ...(description === undefined ? {} : { description }) },
      false,
    );
    const { description: words, ...rest } = plain.schema;
    // Generators lose the type of an object in a query if it has no name, or declares that it has no further
    // properties.
    const { additionalProperties, ...object } = rest;
    const isObject = rest.type === 'object';
    const component = additionalProperties === false ? object : rest;
    found.push(plain.components, isObject ? { [place]: component } : {});
    const named = isObject ? { $ref: `#/components/schemas/${place}` } : rest;
    return { ...parameter, ...(words === undefined ? {} : { description: words }), schema: named };
  };
  const plainOperation = (operation: unknown): unknown => {
    if (!isJson(operation) || !Array.isArray(operation.parameters)) return operation;
    const name = String(operation.operationId);
    const parameters = operation.parameters.map((one) => plainParameter(name, one));
    return { ...operation, parameters: withDistinctNames(parameters) };
  };
  const plain = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(Object(methods)).map(([method, one]) => [method, plainOperation(one)])),
  ]);
  return { paths: Object.fromEntries(plain), components: joined(...found) };
}

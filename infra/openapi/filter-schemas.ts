import { type FieldType, operatorsByType } from '#kernel/kit/filters/fields.ts';
import { isJson, type Json } from './schemas.ts';

const kinds: Readonly<Record<FieldType, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  list: 'list',
  any: 'value of any kind',
};

/** Defines the components that filter fields refer to. They list the operators that each kind of field accepts. */
export const filterSchemas: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(operatorsByType).map(([type, names]) => [conditionsName(type), conditionsOf(type, names)]),
);

function conditionsName(type: string): string {
  return `FilterOf${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;
}

function conditionsOf(type: string, names: readonly string[]): Json {
  const kind = Object.entries(kinds).find(([one]) => one === type)?.[1] ?? type;
  return {
    type: 'object',
    description: `Conditions on a ${kind}. All of them must hold.`,
    properties: {
      conditions: {
        type: 'object',
        description: 'A value, or a list of values, for each operator.',
        propertyNames: { enum: names },
        minProperties: 1,
        additionalProperties: true,
      },
    },
    required: ['conditions'],
  };
}

const since = '2020-01-01T00:00:00.000Z';

/** Returns a filter that fits this schema and works in every project, or undefined for other schemas. */
function filterExample({ properties }: Json): Json | undefined {
  if (!isJson(properties) || !isJson(properties.junction)) return undefined;
  const { junction, ...fields } = properties;
  if ('created_at' in fields) return { created_at: { conditions: { $after: since } } };
  const [field] = Object.entries(fields).find(([, schema]) => isJson(schema) && '$ref' in schema) ?? [];
  return field === undefined ? {} : { [field]: { conditions: { $has_value: true } } };
}

/** Gives a parameter of an object an example. Without an example, the docs page prefills unknown names. */
export function exampleObject(name: string, schema: Json): { example?: Json } {
  if (schema.type !== 'object') return {};
  // A resource that never changed has no `updated_at`, and a filled filter would leave it out.
  if (name === 'created_at') return { example: { after: since } };
  return { example: filterExample(schema) ?? {} };
}

import type { Fields } from './fields.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const junction = {
  type: 'string',
  pattern: '^([aA][nN][dD]|[oO][rR])$',
  description: 'Says whether all fields must match (`and`, the default) or one of them (`or`).',
};

function shownField(field: Fields<never>[string]): JsonSchema {
  if (typeof field === 'object' && 'flags' in field) {
    return { type: 'object', description: `Any of ${Object.keys(field.flags).join(', ')}, each with any value.` };
  }
  const type = typeof field === 'string' ? field : field.type;
  return { $ref: `#/components/schemas/FilterOf${type.slice(0, 1).toUpperCase()}${type.slice(1)}` };
}

const patternOf = (path: string) => `^${path.replaceAll('.', '\\.').replace('*', '[\\s\\S]+')}$`;

/** Returns the fields of a filter as JSON Schema: by name, or by pattern if any name is possible. */
export function shownFields<S>(fields: Fields<S>): JsonSchema {
  const shown = Object.entries(fields).map(([path, field]) => [path, shownField(field)] as const);
  const open = shown.filter(([path]) => path.includes('*')).map(([path, schema]) => [patternOf(path), schema]);
  const known = shown.filter(([path]) => !path.includes('*'));
  return {
    properties: { junction, ...Object.fromEntries(known) },
    ...(open.length > 0 ? { patternProperties: Object.fromEntries(open) } : {}),
  };
}

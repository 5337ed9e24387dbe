import { isJson, type Json } from './schemas.ts';

const whole = (limits: Json, pattern = '^\\d{1,15}$'): Json => ({
  anyOf: [
    { type: 'integer', ...limits },
    { type: 'string', pattern },
  ],
});

/** Names the unions that many places share. The key is the union without its descriptions. */
export const sharedUnions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    WholeNumberOrText: whole({ minimum: 0 }),
    PositiveNumberOrText: whole({ minimum: 1 }),
    SignedNumberOrText: whole({}, '^-?\\d{1,15}$'),
    NumberOrText: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    SimpleValue: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  }).map(([name, union]) => [JSON.stringify(union), name]),
);

/** Writes a name of the document as part of a type's name: `order_items` and `auto-update` are `OrderItems` and `AutoUpdate`. */
export function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toUpperCase() + lowered(word.slice(1))).join('');
}

const lowered = (rest: string) => (rest === rest.toUpperCase() ? rest.toLowerCase() : rest);

/** Returns the texts that a property of an object may have, or nothing if it may have any. */
function textsOf(option: unknown, property: string): string[] {
  if (!isJson(option)) return [];
  const inner = [option.oneOf, option.anyOf].flatMap((some) => (Array.isArray(some) ? some : []));
  if (inner.length > 0) {
    const texts = inner.map((one) => textsOf(one, property));
    return texts.some((some) => some.length === 0) ? [] : [...new Set(texts.flat())];
  }
  const field = isJson(option.properties) ? option.properties[property] : undefined;
  if (!isJson(field) || !Array.isArray(option.required) || !option.required.includes(property)) return [];
  const values = field.const === undefined ? field.enum : [field.const];
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : [];
}

function namesOfFields(option: unknown): string[] {
  if (!isJson(option)) return [];
  if (isJson(option.properties)) return Object.keys(option.properties);
  const inner = [option.oneOf, option.anyOf].flatMap((some) => (Array.isArray(some) ? some : []));
  return inner.flatMap(namesOfFields);
}

/** Finds the property whose text distinguishes the options of a union. */
function tellingProperty(options: readonly unknown[]): string | undefined {
  return [...new Set(namesOfFields(options[0]))].find((property) => {
    const texts = options.map((option) => textsOf(option, property));
    const all = texts.flat();
    return texts.every((some) => some.length > 0) && new Set(all).size === all.length;
  });
}

/** Returns the suffix of a union's name for each of its objects: a text that only this object has, or a field. */
export function suffixesOf(options: readonly unknown[]): (string | undefined)[] {
  const property = tellingProperty(options);
  const isObject = (option: unknown) => isJson(option) && namesOfFields(option).length > 0;
  const objects = options.filter(isObject);
  return options.map((option) => {
    if (!isObject(option)) return undefined;
    if (property !== undefined) return pascal(textsOf(option, property)[0] ?? '');
    if (objects.length === 1) return 'Object';
    const others = objects.filter((one) => one !== option).flatMap(namesOfFields);
    return pascal(namesOfFields(option).find((name) => !others.includes(name)) ?? 'Other');
  });
}

/** Describes how the text of a property chooses the schema, if all options have names. */
export function discriminatorOf(options: readonly unknown[], named: readonly unknown[]): Json | undefined {
  const propertyName = tellingProperty(options);
  if (propertyName === undefined) return undefined;
  const mapping = options.flatMap((option, index) => {
    const target = named[index];
    const $ref = isJson(target) ? target.$ref : undefined;
    return textsOf(option, propertyName).map((text) => [text, $ref] as const);
  });
  if (mapping.some(([, $ref]) => $ref === undefined)) return undefined;
  return { propertyName, mapping: Object.fromEntries(mapping) };
}

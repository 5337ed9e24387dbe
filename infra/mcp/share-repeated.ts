import { isJson, type Json } from '../openapi/schemas.ts';

/** Writes objects once that a schema repeats, such as the customers of a cart, because a model reads every word of the list. */

/** Is the length below which a reference saves nothing worth its detour. */
const leastCharacters = 200;

interface Repeated {
  readonly text: string;
  /** The name of the field that has the schema first. */
  readonly name: string;
}

/** Returns the schema of an object without its description, which says what the object is at its place. */
function bareText(node: Json): string | undefined {
  if (node.type === undefined || !isJson(node.properties)) return undefined;
  const { description: _, ...bare } = node;
  const text = JSON.stringify(bare);
  return text.length < leastCharacters ? undefined : text;
}

function countTexts(node: unknown, name: string, counts: Map<string, { name: string; count: number }>): void {
  if (Array.isArray(node)) for (const one of node) countTexts(one, name, counts);
  if (!isJson(node)) return;
  const text = bareText(node);
  if (text !== undefined) counts.set(text, { name, ...counts.get(text), count: (counts.get(text)?.count ?? 0) + 1 });
  for (const [key, inner] of Object.entries(node)) countTexts(inner, isJson(inner) ? key : name, counts);
}

function findLongest(schema: Json): Repeated | undefined {
  const counts = new Map<string, { name: string; count: number }>();
  countTexts(schema, 'body', counts);
  const repeated = [...counts].flatMap(([text, { name, count }]) => (count > 1 ? [{ text, name }] : []));
  return repeated.sort((a, b) => b.text.length - a.text.length)[0];
}

function replaceText(node: unknown, text: string, $ref: string): unknown {
  if (Array.isArray(node)) return node.map((one) => replaceText(one, text, $ref));
  if (!isJson(node)) return node;
  if (bareText(node) === text)
    return { $ref, ...(node.description === undefined ? {} : { description: node.description }) };
  return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, replaceText(inner, text, $ref)]));
}

/** Moves repeated objects of a tool's schema to its definitions. The meaning stays the same. */
export function shareRepeated(schema: Json): Json {
  const found = findLongest(schema);
  if (!found) return schema;
  const before = isJson(schema.$defs) ? schema.$defs : {};
  const name = Object.hasOwn(before, found.name) ? `${found.name}${Object.keys(before).length}` : found.name;
  const replaced = replaceText(schema, found.text, `#/$defs/${name}`);
  const shared = isJson(replaced) ? replaced : schema;
  const definitions = isJson(shared.$defs) ? shared.$defs : {};
  return shareRepeated({ ...shared, $defs: { ...definitions, [name]: JSON.parse(found.text) } });
}

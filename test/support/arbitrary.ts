import fc from 'fast-check';
import { findReplacement } from '#kernel/core/documented.ts';
import { duration } from '#kernel/core/schema.ts';
import { anyCharacter } from './any-character.ts';
import { type Json, resolved } from './openapi.ts';

/** Draws values at random that a document's schemas describe. */

const maxItems = 3;
const maxOptional = 4;
const maxCharacters = 40;

/** JSON can carry these texts. No encoding has half a surrogate pair. */
const oddTexts = ['\ud800', 'a\udc00', '\u0000', '__proto__', 'constructor', '../..', '%2F', "' OR 1=1"];

function anyText(min: number, max: number): fc.Arbitrary<string> {
  const length = { minLength: min, maxLength: Math.max(min, Math.min(max, maxCharacters)) };
  const fitting = oddTexts.filter((text) => text.length >= min && text.length <= max);
  return fc.oneof(
    { weight: 4, arbitrary: fc.string(length) },
    { weight: 4, arbitrary: fc.string({ ...length, unit: anyCharacter }) },
    { weight: 4, arbitrary: fc.string({ ...length, unit: 'grapheme' }) },
    {
      weight: fitting.length > 0 ? 1 : 0,
      arbitrary: fc.constantFrom('', ...fitting).filter((text) => text.length >= min),
    },
  );
}

const dateTimes = fc
  .tuple(
    fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true }),
    fc.constantFrom('Z', '+00:00', '+05:30', '-11:00'),
  )
  .map(([time, offset]) => time.toISOString().replace('Z', offset));

const dates = dateTimes.map((time) => time.slice(0, 10));

const amount = fc.nat({ max: 5_000 });
const durations = fc.oneof(
  amount.map((weeks) => `P${weeks}W`),
  fc.tuple(amount, amount).map(([days, hours]) => `P${days}DT${hours}H`),
  fc.tuple(amount, amount).map(([months, seconds]) => `P${months}MT${seconds}.5S`),
);

const texts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': dateTimes,
  date: dates,
  email: fc.emailAddress(),
};

function textOf({ format, pattern, minLength, maxLength }: Json, known: readonly string[]): fc.Arbitrary<string> {
  const formatted = texts[String(format)];
  if (formatted) return formatted;
  // The pattern looks ahead, which fast-check cannot draw.
  if (pattern === findReplacement(duration)?.pattern) return durations;
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const [min, max] = [Number(minLength ?? 0), Number(maxLength ?? maxCharacters)];
  const fitting = known.filter((text) => text.length >= min && text.length <= max);
  const any = anyText(min, max);
  return fitting.length > 0 ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...fitting) }, any) : any;
}

function numberOf({ type, minimum, maximum }: Json): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum ?? -1e6), Number(maximum ?? 1e6)];
  if (type === 'number') return fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 200) }), fc.integer({ min, max }));
}

export interface ArbitraryOptions {
  document: Json;
  /** Texts that have a meaning for the service. They are drawn wherever any text is allowed. */
  known: readonly string[];
}

function objectOf(schema: Json, options: ArbitraryOptions): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, minProperties = 0, maxProperties } = schema;
  const fields = Object.entries(properties as Record<string, Json>).map(([name, field]) => [
    name,
    describedBy(field, options),
  ]);
  const isRequired = ([name]: unknown[]) => (required as unknown[]).includes(name);
  const optional = fields.filter((field) => !isRequired(field));
  // Draws a few fields at a time, because among many fields one always contradicts another.
  const named = fc
    .subarray(optional, { maxLength: Math.min(optional.length, maxOptional) })
    .chain((some) =>
      fc.record(Object.fromEntries([...fields.filter(isRequired), ...some]), { noNullPrototype: true }),
    ) as fc.Arbitrary<Record<string, unknown>>;
  if (typeof additionalProperties !== 'object' && additionalProperties !== true) return named;
  const others = fc.dictionary(
    textOf({}, options.known),
    additionalProperties === true ? anyJson : describedBy(additionalProperties as Json, options),
    {
      minKeys: Number(minProperties),
      maxKeys: Math.min(Number(maxProperties ?? maxItems), maxItems),
      noNullPrototype: true,
    },
  );
  return fc.tuple(others, named).map(([more, own]) => ({ ...more, ...own }));
}

export const anyJson = fc.jsonValue({ maxDepth: 2, depthSize: 'small' });

/** Draws a value that the schema describes. */
export function describedBy(schema: Json, options: ArbitraryOptions): fc.Arbitrary<unknown> {
  const {
    const: only,
    enum: allowed,
    anyOf,
    oneOf,
    type,
    items,
    minItems,
    ...rest
  } = resolved(options.document, schema);
  if (only !== undefined) return fc.constant(only);
  if (allowed) return fc.constantFrom(...(allowed as unknown[]));
  const choices = (anyOf ?? oneOf) as Json[] | undefined;
  if (choices) return fc.oneof(...choices.map((option) => describedBy(option, options)));
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((one) => describedBy({ ...rest, items, minItems, type: one }, options)));
  }
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numberOf({ ...rest, type });
    case 'string':
      return textOf(rest, options.known);
    case 'array':
      return fc.array(describedBy(items as Json, options), { minLength: Number(minItems ?? 0), maxLength: maxItems });
    case 'object':
      return objectOf(rest, options);
    default:
      return anyJson;
  }
}

/** Values that callers send by mistake or out of curiosity. */
const oddValues = fc.oneof(
  anyJson,
  fc.constantFrom<unknown>(
    null,
    '',
    -1,
    0.5,
    1e300,
    2 ** 53,
    true,
    [],
    {},
    [[]],
    '2026-02-30T00:00:00Z',
    'P1',
    // The text is longer than an item of the table may be.
    'a'.repeat(450_000),
  ),
);

/** Draws the same value with one part replaced, removed or added. */
export function spoilt(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return oddValues;
  const entries = Object.entries(value);
  const rebuilt = (changed: [string, unknown][]) =>
    Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
  const inside = entries.map(([key, inner], index) =>
    fc.oneof(
      spoilt(inner).map((other) => rebuilt(entries.with(index, [key, other]))),
      fc.constant(rebuilt(entries.toSpliced(index, 1))),
    ),
  );
  return fc.oneof({ weight: 1, arbitrary: oddValues }, ...inside.map((arbitrary) => ({ weight: 3, arbitrary })));
}

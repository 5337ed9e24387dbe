import * as v from 'valibot';
import { checkInSlices } from './check-in-slices.ts';
import { hasFourDigitYear, isCalendarDate, isDateTime, toUtc } from './date-time.ts';
import { shownAs } from './documented.ts';
import { isRecord } from './is-record.ts';
import { explainUnstorable, isSendable, shownStorable, wellFormed, withoutReserved } from './storable.ts';

/** Schemas that several subjects share. */

/** An ISO 8601 date and time with an offset. It is stored and shown as UTC with milliseconds. */
export const dateTime = shownAs(
  v.pipe(
    v.string(),
    v.check(isDateTime, 'must be an existing ISO 8601 date and time with its offset, such as 2026-01-31T09:30:00Z'),
    v.check(hasFourDigitYear, 'must be in the years 0000 to 9999 in UTC'),
    v.transform(toUtc),
  ),
  { type: 'string', format: 'date-time' },
);

export const date = shownAs(
  v.pipe(
    v.string(),
    v.check((text) => {
      const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
      return match !== null && isCalendarDate(Number(match[1]), Number(match[2]), Number(match[3]));
    }, 'must be an existing date, YYYY-MM-DD'),
  ),
  { type: 'string', format: 'date' },
);

const amount = '\\d{1,9}(?:[.,]\\d{1,9})?';

/** Matches any of the units, in their order. */
function amountsOf(units: string): string {
  return [...units].map((unit) => `(?:${amount}${unit})?`).join('');
}

const durationPattern = new RegExp(
  `^P(?!.*[.,]\\d+[A-Z].)(?:${amount}W|(?=\\d|T\\d)${amountsOf('YMD')}(?:T(?=\\d)${amountsOf('HMS')})?)$`,
);

/** An ISO 8601 duration: `P1Y2M3DT4H5M6S` with at least one part, or weeks alone. The last part may have a fraction. */
export const duration = shownAs(
  v.pipe(
    v.string(),
    v.regex(durationPattern, 'must be an ISO 8601 duration, such as P1D or PT1.5H, with at most nine digits a number'),
  ),
  { type: 'string', description: 'ISO 8601 duration.', pattern: durationPattern.source },
);

export const integer = v.pipe(v.number(), v.safeInteger('must be an integer'));
export const count = v.pipe(integer, v.minValue(0, 'must be 0 or more'));

/** Accepts numbers as text, because some clients send `"2000"` for `2000`. */
const sent = v.pipe(
  v.unknown(),
  v.transform((value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) || 0 : value)),
);

export const sentCount = shownAs(v.pipe(sent, count), {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^\\d{1,15}$' },
  ],
});

export const sentInteger = shownAs(v.pipe(sent, integer), {
  anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?\\d{1,15}$' }],
});

export const positiveInteger = v.pipe(integer, v.minValue(1, 'must be 1 or more'));

export const text = v.string();

/** Returns whether the text has at most `max` code points. An emoji is one code point, but two units of UTF-16. */
function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

function atMost(max: number) {
  return v.check((text: string) => hasAtMost(text, max), `must have at most ${max} characters`);
}

/** Limits names, codes, banners and ids, in code points. */
export const maxNameLength = 300;

/** Limits descriptions and other texts, in code points. */
const maxTextLength = 5_000;

const isWellFormed = v.check((text: string) => text.isWellFormed(), wellFormed);
const isName = atMost(maxNameLength);

/** A stored text of any length. Texts that are older than the limits must stay readable. */
export const keptText = v.pipe(v.string(), isWellFormed);

/** A label or a banner, as short as a name. It may be empty. */
export const shortText = v.pipe(v.string(), isWellFormed, isName);

/** A description or a reason. */
export const longText = v.pipe(v.string(), isWellFormed, atMost(maxTextLength));

/** A name of an existing resource. No resource has a longer name. */
export const reference = v.pipe(v.string(), isName);

/** An id or a name as callers write it. */
export const identifier = v.pipe(v.string(), v.minLength(1, 'must not be empty'), isWellFormed, isName);

/** Limits codes to the capacity of Code 128 bar codes. */
export const maxCodeBytes = 500;

/** A voucher's code. */
export const code = v.pipe(
  identifier,
  v.check(isSendable, withoutReserved),
  v.maxBytes(maxCodeBytes, `must have at most ${maxCodeBytes} bytes as UTF-8, for a bar code holds no more`),
);

/** The longest e-mail address: a path (RFC 5321 §4.5.3.1.3) without its brackets. */
const maxEmailLength = 254;

function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && v.RFC_EMAIL_REGEX.test(text) && /\.[A-Za-z][A-Za-z0-9-]*$/.test(text);
}

/** One e-mail address as HTML forms and SES accept it: ASCII, without quotes, at a host with a dot in its name. */
export const email = shownAs(v.pipe(v.string(), v.check(isEmail, 'must be an e-mail address')), {
  type: 'string',
  format: 'email',
});

/** Rejects arrays, which Valibot accepts as objects. */
function refusingArrays<S extends v.GenericSchema>(schema: S): S {
  const run: S['~run'] = (dataset, config) => {
    if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config);
    const isObject = v.custom<never>(() => false, 'must be an object');
    return isObject['~run'](dataset, config);
  };
  return { ...schema, '~run': run };
}

/** Declares an object with these entries. Other fields are kept. */
export function looseObject<const E extends v.ObjectEntries>(entries: E): v.LooseObjectSchema<E, undefined> {
  return refusingArrays(v.looseObject(entries));
}

/** Declares an object with these entries. Others are left out. */
export function object<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return refusingArrays(v.object(entries));
}

/** Keys that Valibot ignores in records, though callers may use them. */
const passedOver = ['constructor', 'prototype'];

/** Replaces such a key while Valibot checks the object. Keys of callers never have NUL and this text. */
const standIn = (name: string) => `\u0000passed over: ${name}`;

/** Declares an object with any keys, `constructor` and `prototype` included. */
export function record<V extends v.GenericSchema>(value: V): v.RecordSchema<v.StringSchema<undefined>, V, undefined> {
  const schema = refusingArrays(v.record(v.string(), value));
  const run: (typeof schema)['~run'] = (dataset, config) => {
    const given = dataset.value;
    const names = isRecord(given) ? passedOver.filter((name) => Object.hasOwn(given, name)) : [];
    if (!isRecord(given) || names.length === 0) return schema['~run'](dataset, config);
    const renamed = (name: string) => (names.includes(name) ? standIn(name) : name);
    const found = schema['~run'](
      { value: Object.fromEntries(Object.entries(given).map(([name, inner]) => [renamed(name), inner])) },
      config,
    );
    for (const name of names) {
      for (const { path: [step] = [] } of found.issues ?? [])
        if (step?.key === standIn(name)) Object.assign(step, { key: name });
      if (!isRecord(found.value)) continue;
      found.value[name] = found.value[standIn(name)];
      delete found.value[standIn(name)];
    }
    return found;
  };
  return { ...schema, '~run': run };
}

/** Declares an array of at most `max` entries. A longer array stays unchecked, because millions would need minutes. */
export function array<S extends v.GenericSchema>(item: S, max: number, entries = 'entries') {
  const isTooLong = `must have at most ${max} ${entries}`;
  const schema = checkInSlices(v.pipe(v.array(item), v.maxLength(max, isTooLong)));
  const run: (typeof schema)['~run'] = (dataset, config) => {
    if (!Array.isArray(dataset.value) || dataset.value.length <= max) return schema['~run'](dataset, config);
    const isShort = v.custom<never>(() => false, isTooLong);
    return isShort['~run'](dataset, config);
  };
  return { ...schema, '~run': run };
}

const anyRecord = record(v.unknown());

/** Returns the sent object itself. A record schema would copy every entry. */
const withEveryKey: typeof anyRecord = {
  ...anyRecord,
  '~run': (dataset, config) =>
    isRecord(dataset.value) ? { typed: true, value: dataset.value } : anyRecord['~run'](dataset, config),
};

/** Free key/value pairs, kept exactly as the caller sent them. */
export const metadata = shownAs(
  v.pipe(
    withEveryKey,
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? explainUnstorable(dataset.value) : undefined;
      if (message !== undefined) addIssue({ message });
    }),
  ),
  shownStorable,
);

/** Limits the metadata of one resource, as JSON in UTF-8. */
export const maxMetadataBytes = 50 * 1024;

/** Returns whether the size fits. Metadata that cannot be stored passes: another check rejects it, and it may be nested too deep for JSON. */
export function isMetadataWithinLimit(value: Readonly<Record<string, unknown>>): boolean {
  return explainUnstorable(value) !== undefined || Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes;
}

export const metadataTooLarge = `must have at most ${maxMetadataBytes} bytes as JSON`;

/** Metadata in a request. */
export const sentMetadata = shownAs(v.pipe(metadata, v.check(isMetadataWithinLimit, metadataTooLarge)), {
  ...shownStorable,
  description: `${shownStorable.description} At most ${maxMetadataBytes} bytes as JSON.`,
});

/** Accepts `null` like an absent value, because replies that are pasted into a project file have it. */
export function nullable<S extends v.GenericSchema>(schema: S) {
  return v.optional(v.nullable(schema));
}

/** Declares the envelope of a list. `data_ref` names the attribute that holds the array. */
export function listEnvelope<S extends v.GenericSchema>(item: S) {
  return v.object({
    object: v.literal('list'),
    data_ref: v.literal('data'),
    data: v.array(item),
    total: count,
  });
}

export function wrapList<T>(data: T[], total = data.length) {
  return { object: 'list' as const, data_ref: 'data' as const, data, total };
}

import * as v from 'valibot';

/** Pieces that the schemas of several subjects share. */

/** Days exist only in their month; `Date` would move 30 February to March. */
function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):?(\d{2}))$/;

function isDateTime(text: string): boolean {
  const match = dateTimePattern.exec(text);
  if (!match) return false;
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  return (
    isCalendarDate(year ?? 0, month ?? 0, day ?? 0) &&
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60 &&
    (second ?? 0) < 60 &&
    (offsetHour ?? 0) < 24 &&
    (offsetMinute ?? 0) < 60
  );
}

/** What `Date` reads: an offset has a colon there. */
function toUtc(text: string): string {
  return new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')).toISOString();
}

/** An offset can move the first and the last day of four-digit years out of them. */
function staysInFourDigitYears(text: string): boolean {
  return !isDateTime(text) || /^\d/.test(toUtc(text));
}

/** ISO 8601 date and time with its offset, kept and shown as UTC with milliseconds. */
export const dateTime = v.pipe(
  v.string(),
  v.check(isDateTime, 'must be an existing ISO 8601 date and time with its offset, such as 2026-01-31T09:30:00Z'),
  v.check(staysInFourDigitYears, 'must be in the years 0000 to 9999 in UTC'),
  v.transform(toUtc),
);

/** Calendar date, YYYY-MM-DD. */
export const date = v.pipe(
  v.string(),
  v.check((text) => {
    const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
    return match !== null && isCalendarDate(Number(match[1]), Number(match[2]), Number(match[3]));
  }, 'must be an existing date, YYYY-MM-DD'),
);

/** ISO 8601 duration: `P1Y2M3DT4H5M6S` with at least one part, or weeks alone. */
export const duration = v.pipe(
  v.string(),
  v.regex(
    /^P(?:\d+W|(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:[.,]\d+)?S)?)?)$/,
    'must be an ISO 8601 duration, such as P1D or PT2H',
  ),
);

export const integer = v.pipe(v.number(), v.safeInteger('must be an integer'));
export const count = v.pipe(integer, v.minValue(0, 'must be 0 or more'));
export const positiveInteger = v.pipe(integer, v.minValue(1, 'must be 1 or more'));

export const text = v.string();

/** DynamoDB keeps text as UTF-8, which has no lone surrogates. */
const wellFormed = 'must be well-formed Unicode';

/** Text that is kept as it was sent. */
export const keptText = v.pipe(
  v.string(),
  v.check((value) => value.isWellFormed(), wellFormed),
);

/** What a Code 128 bar code of ours can hold. */
export const maxIdentifierBytes = 500;

/** What names something that is there: what is longer, nothing is called. */
export const reference = v.pipe(
  v.string(),
  v.maxBytes(maxIdentifierBytes, `must have at most ${maxIdentifierBytes} bytes as UTF-8`),
);

/** An id, a name or a code as callers write it. */
export const identifier = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.check((text) => text.isWellFormed(), wellFormed),
  v.maxBytes(maxIdentifierBytes, `must have at most ${maxIdentifierBytes} bytes as UTF-8`),
);

/** Of a path (RFC 5321 §4.5.3.1.3), without its brackets. */
const maxEmailLength = 254;

function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && v.RFC_EMAIL_REGEX.test(text) && /\.[A-Za-z][A-Za-z0-9-]*$/.test(text);
}

/** One address, as HTML's forms and SES take it: ASCII, without quotes, at a host with a dot in its name. */
export const email = v.pipe(v.string(), v.check(isEmail, 'must be an e-mail address'));

/** Valibot takes an array for an object; JSON tells them apart, and so do the contract's shapes. */
function refusingArrays<S extends v.GenericSchema>(schema: S): S {
  const run: S['~run'] = (dataset, config) => {
    if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config);
    const isObject = v.custom<never>(() => false, 'must be an object');
    return isObject['~run'](dataset, config);
  };
  return { ...schema, '~run': run };
}

/** An object with these entries; others are left out. */
export function object<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return refusingArrays(v.object(entries));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names that Valibot passes over in objects of any keys, though they are words like any other. */
const passedOver = ['constructor', 'prototype'];

/** Stands for such a name while Valibot looks at the object; no name that callers may write has NUL and this. */
const standIn = (name: string) => `\u0000passed over: ${name}`;

/** An object with any keys, whatever they are called. */
export function record<V extends v.GenericSchema>(value: V): v.RecordSchema<v.StringSchema<undefined>, V, undefined> {
  const schema = refusingArrays(v.record(v.string(), value));
  const run: (typeof schema)['~run'] = (dataset, config) => {
    const given = dataset.value;
    const names = isObject(given) ? passedOver.filter((name) => Object.hasOwn(given, name)) : [];
    if (!isObject(given) || names.length === 0) return schema['~run'](dataset, config);
    const renamed = (name: string) => (names.includes(name) ? standIn(name) : name);
    const found = schema['~run'](
      { value: Object.fromEntries(Object.entries(given).map(([name, inner]) => [renamed(name), inner])) },
      config,
    );
    for (const name of names) {
      for (const { path: [step] = [] } of found.issues ?? [])
        if (step?.key === standIn(name)) Object.assign(step, { key: name });
      if (!isObject(found.value)) continue;
      found.value[name] = found.value[standIn(name)];
      delete found.value[standIn(name)];
    }
    return found;
  };
  return { ...schema, '~run': run };
}

/**
 * An array of at most so many entries. Of a longer one nothing else is looked at: a body has room for millions of them, and
 * to tell what is wrong with each would keep a caller busy and the function for minutes.
 */
export function array<S extends v.GenericSchema>(item: S, max: number, entries = 'entries') {
  const isTooLong = `must have at most ${max} ${entries}`;
  const schema = v.pipe(v.array(item), v.maxLength(max, isTooLong));
  const run: (typeof schema)['~run'] = (dataset, config) => {
    if (!Array.isArray(dataset.value) || dataset.value.length <= max) return schema['~run'](dataset, config);
    const isShort = v.custom<never>(() => false, isTooLong);
    return isShort['~run'](dataset, config);
  };
  return { ...schema, '~run': run };
}

/** DynamoDB nests 32 levels deep; the item itself and the attribute are two of them. */
const maxDepth = 30;

/** DynamoDB takes 64 KB of an attribute's name. */
const maxKeyBytes = 65_535;

/** Why DynamoDB could not keep a JSON value as it is, if so; `depth`: how deep it lies in its attribute. */
export function unstorable(value: unknown, depth = 0): string | undefined {
  if (depth > maxDepth) return `must be nested at most ${maxDepth} levels deep`;
  if (typeof value === 'number') {
    const size = Math.abs(value);
    return size > Number.MAX_SAFE_INTEGER || (size > 0 && size < 1e-100)
      ? `must have numbers between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER} only, none closer to 0 than 1e-100`
      : undefined;
  }
  if (typeof value === 'string') return value.isWellFormed() ? undefined : wellFormed;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '')) return 'must not have an empty key';
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) return wellFormed;
    if (Buffer.byteLength(key) > maxKeyBytes) return `must have keys of at most ${maxKeyBytes} bytes as UTF-8`;
  }
  for (const inner of Object.values(value)) {
    const reason = unstorable(inner, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Each text and number in a JSON value that DynamoDB could not keep: its place, and why. */
export function* unstorableIn(value: unknown, place = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    const reason = unstorable(value);
    if (reason !== undefined) yield `${place} ${reason}`;
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `[${key}]` : place === '' ? key : `.${key}`;
    yield* unstorableIn(inner, place + inside);
  }
}

const anyRecord = record(v.unknown());

/** Taken as it is, without a copy. */
const withEveryKey: typeof anyRecord = {
  ...anyRecord,
  '~run': (dataset, config) =>
    isObject(dataset.value) ? { typed: true, value: dataset.value } : anyRecord['~run'](dataset, config),
};

/** Free key/value pairs, as the caller sent them. */
export const metadata = v.pipe(
  withEveryKey,
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? unstorable(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);

/** Takes `null` like an absent value, as replies that are pasted into a project file have it. */
export function nullable<S extends v.GenericSchema>(schema: S) {
  return v.optional(v.nullable(schema));
}

/** The envelope of a list: `data_ref` names the attribute that holds the array. */
export function listOf<S extends v.GenericSchema>(item: S) {
  return v.object({
    object: v.literal('list'),
    data_ref: v.literal('data'),
    data: v.array(item),
    total: count,
  });
}

export function list<T>(data: T[], total = data.length) {
  return { object: 'list' as const, data_ref: 'data' as const, data, total };
}

/** Where a value does not fit, without what stands there. */
export function placesOf(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  return issues.map((issue) => v.getDotPath(issue) ?? 'its root').join(', ');
}

/** One line for all violations: path into the value, then the rule. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[], root: string): string[] {
  return issues.map((issue) => `${placeOf(issue, root)} ${ruleOf(issue)}`);
}

function placeOf(issue: v.BaseIssue<unknown>, root: string): string {
  const steps = (issue.path ?? []).map((step) => ('key' in step ? step.key : undefined));
  const path = steps.reduce<string>(
    (place, step) =>
      typeof step === 'number' ? `${place}[${step}]` : place ? `${place}.${String(step)}` : String(step),
    '',
  );
  return path || root;
}

/** Names what is allowed and the type that came, never the value: a message may be logged. */
function ruleOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema' || issue.type === 'custom') return issue.message;
  if (issue.received === 'undefined') return 'is required';
  if (issue.type === 'picklist' || issue.type === 'literal' || issue.type === 'enum') {
    return `must be ${(issue.expected ?? '')
      .replaceAll('"', '')
      .replaceAll(' | ', ', ')
      .replace(/^\((.*)\)$/, 'one of $1')}`;
  }
  const expected: Record<string, string> = { Object: 'an object', Array: 'an array' };
  const wanted = issue.expected ?? 'another type';
  const article = /^[aeiou]/i.test(wanted) ? 'an' : 'a';
  return `must be ${expected[wanted] ?? `${article} ${wanted}`}`;
}

import { hasFourDigitYear, isCalendarDate, isDateTime, parseInstant, readPlainTime } from '../date-time.ts';
import { isRecord } from '../is-record.ts';
import { readMoment } from '../local-time.ts';
import type { MetadataType } from './definition.ts';

/** Recognises and compares values of the declared types. */

const plainDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;

function isDate(value: unknown): boolean {
  if (typeof value === 'string' && plainDate.test(value)) return true;
  const match = typeof value === 'string' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) : null;
  return match !== null && isCalendarDate(Number(match[1]), Number(match[2]), Number(match[3]));
}

function isImage(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^\s/]+(?:\/\S*)?$/i.test(value);
}

const writtenPoint = /^\s*(?:geo:)?(-?\d{1,3}(?:\.\d{1,15})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,15})?)\s*$/;

/** Reads a place: `geo:59.91,10.75`, `59.91,10.75` or `{latitude, longitude}`. Returns the spelling that filters and rules read. */
function readPlace(value: unknown): string | undefined {
  const [, north, east] = (typeof value === 'string' && writtenPoint.exec(value)) || [];
  const sent = isRecord(value) ? [value.latitude, value.longitude] : [north, east].map((one) => one && Number(one));
  const [latitude, longitude] = sent;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? `geo:${latitude},${longitude}` : undefined;
}

function isMomentText(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return !Number.isNaN(readPlainTime(value)) || (isDateTime(value) && hasFourDigitYear(value));
}

/** Tests a value, and describes the valid values. */
export const valuesOf: Readonly<Record<MetadataType, readonly [fits: (value: unknown) => boolean, words: string]>> = {
  string: [(value) => typeof value === 'string', 'a string'],
  number: [(value) => typeof value === 'number', 'a number'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  date: [isDate, 'an existing date, YYYY-MM-DD'],
  datetime: [isMomentText, 'an existing date and time with its offset, such as 2026-01-31T09:30:00Z'],
  geopoint: [
    (value) => readPlace(value) !== undefined,
    'a latitude and a longitude in degrees, such as "geo:59.91,10.75", "59.91,10.75" or {"latitude": 59.91, "longitude": 10.75}',
  ],
  image_url: [isImage, 'an address that begins with http:// or https://'],
  object: [isRecord, 'an object'],
};

export function isMoment(type: MetadataType): boolean {
  return type === 'date' || type === 'datetime';
}

const written = /^-?\d{1,16}(?:\.\d{1,16})?$/;

/**
 * Returns the value as its declared type compares: a number, a `Date`, or a single spelling of a place. Values from
 * before the schema may be texts. A value that does not fit stays unchanged.
 */
export function asDeclared(type: MetadataType, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => asDeclared(type, one));
  if (type === 'number') return typeof value === 'string' && written.test(value) ? Number(value) : value;
  if (isMoment(type)) {
    return readMoment(value) ?? value;
  }
  return type === 'geopoint' ? (readPlace(value) ?? value) : value;
}

/** Returns the size of a number or the time of a date, in the order of which limits hold. */
export function sizeOf(type: MetadataType, value: unknown): number {
  if (!isMoment(type)) return Number(value);
  return parseInstant(value) ?? Number.NaN;
}

/** Returns whether two values of a type are equal. Times are equal at any offset. */
export function areEqual(type: MetadataType, one: unknown, other: unknown): boolean {
  if (isMoment(type)) return sizeOf(type, one) === sizeOf(type, other);
  return type === 'geopoint' ? readPlace(one) === readPlace(other) : one === other;
}

/** Reads the text of a CSV cell as its declared type. A text that does not fit stays a text, and is refused later. */
export function readCell(type: MetadataType, cell: string): unknown {
  if (type === 'number' && written.test(cell)) return Number(cell);
  if (type === 'boolean' && /^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return cell;
}

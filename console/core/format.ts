import { computed } from '@preact/signals';
import { amountsOf } from './amount.ts';
import { currency } from './currency.ts';

const amounts = computed(() => amountsOf(currency.value));

/** Locales write a minus or a hyphen. The console writes one minus. */
const signed = (text: string) => text.replace(/^(\p{Sc}?\s?)-/u, '$1−');

/** Writes an amount of minor units in the project's currency. */
export function money(minor: number | null | undefined): string {
  return minor === null || minor === undefined ? '–' : signed(amounts.value.write(minor));
}

/** Writes an amount of minor units in the form of an input. */
export const plainMoney = (minor: number) => amounts.value.writePlain(minor);

/** Reads an input as minor units. */
export const minorUnits = (text: string) => amounts.value.read(text);

/** Returns the minor units of an amount of major units, for an example. */
export const ofMajor = (major: number) => amounts.value.of(major);

/** Returns an example of an amount in an input. */
export const amountSample = () => plainMoney(1_250);

/** Returns an example of an amount in a file, which never depends on the browser. */
export const fileAmountSample = () => amountsOf(currency.value, 'en').writePlain(1_250);

export const amountPattern = () => amounts.value.pattern;

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : signed(whole.format(value));
}

export function compact(value: number): string {
  return signed(value < 10_000 ? whole.format(value) : short.format(value));
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
/** A date without a time is the same day everywhere. */
const bareDay = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const clock = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const ofThisYear = new Intl.DateTimeFormat(undefined, clock);
const moment = new Intl.DateTimeFormat(undefined, { ...clock, year: 'numeric' });

export function date(iso: string | null | undefined): string {
  if (!iso) return '–';
  return (iso.length === 'YYYY-MM-DD'.length ? bareDay : day).format(new Date(iso));
}

/** Writes a moment by 24 hours, without the year if it is the current year. */
export function time(iso: string | null | undefined): string {
  if (!iso) return '–';
  const at = new Date(iso);
  return (at.getFullYear() === new Date().getFullYear() ? ofThisYear : moment).format(at);
}

const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Writes a day, or an hour such as `2026-11-28T07`. */
export function writeStep(key: string): string {
  return key.length > 10 ? `${key.slice(11)}:00` : shortDay.format(new Date(key));
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Writes a moment by its distance to now, up to a month. */
export function ago(iso: string | null | undefined): string {
  if (!iso) return '–';
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000;
  if (Math.abs(seconds) > 30 * 86_400) return date(iso);
  const [unit, size] = steps.find(([, one]) => Math.abs(seconds) >= one) ?? (['minute', 60] as const);
  return relative.format(Math.round(seconds / size), unit);
}

/** Turns a word of the API, such as `DISCOUNT_VOUCHER`, into words. */
export function human(word: string | null | undefined): string {
  if (!word) return '–';
  const text = word.replaceAll(/[_.]/g, ' ').toLowerCase();
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

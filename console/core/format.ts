import { effect, signal } from '@preact/signals';

const storedAs = 'tessera.currency';

/** Holds the currency that amounts are shown in. The API has amounts in minor units without a currency. */
export const currency = signal(localStorage.getItem(storedAs) ?? '');
effect(() => localStorage.setItem(storedAs, currency.value));

const isCurrency = (code: string) => Intl.supportedValuesOf('currency').includes(code);

function formatter(): { format: (amount: number) => string; digits: number } {
  const format = isCurrency(currency.value)
    ? new Intl.NumberFormat(undefined, { style: 'currency', currency: currency.value })
    : new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return { format: (amount) => format.format(amount), digits: format.resolvedOptions().maximumFractionDigits ?? 2 };
}

/** Writes an amount of minor units. */
export function money(minor: number | null | undefined): string {
  if (minor === null || minor === undefined) return '–';
  const { format, digits } = formatter();
  return format(minor / 10 ** digits);
}

const groupMark = new Intl.NumberFormat().formatToParts(1_234_567).find(({ type }) => type === 'group')?.value;

/** Reads what a person types, such as 12.50 or 1,200, as minor units. */
export function minorUnits(text: string): number {
  const plain = text.replaceAll(/[\s'’]/g, '');
  const mark = Math.max(plain.lastIndexOf(','), plain.lastIndexOf('.'));
  const isGroup = plain[mark] === groupMark && /^\d{3}$/.test(plain.slice(mark + 1));
  const [whole, fraction] = mark < 0 || isGroup ? [plain, ''] : [plain.slice(0, mark), plain.slice(mark + 1)];
  return Math.round(Number(`${whole.replaceAll(/[.,]/g, '')}.${fraction}`) * 10 ** formatter().digits) || 0;
}

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : whole.format(value);
}

export function compact(value: number): string {
  return value < 10_000 ? whole.format(value) : short.format(value);
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
/** A date without a time is the same day everywhere. */
const bareDay = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

export function date(iso: string | null | undefined): string {
  if (!iso) return '–';
  return (iso.length === 'YYYY-MM-DD'.length ? bareDay : day).format(new Date(iso));
}

export function time(iso: string | null | undefined): string {
  return iso ? moment.format(new Date(iso)) : '–';
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

import { computed, effect, signal } from '@preact/signals';
import { type Currency, isCurrencyCode } from './amount.ts';
import { api } from './api.ts';

const storedAs = 'tessera.currency';

/** Holds the currency that an operator names in this browser. It counts if the project defines no currency. */
export const chosenCurrency = signal(localStorage.getItem(storedAs) ?? '');
effect(() => localStorage.setItem(storedAs, chosenCurrency.value));

/** The unit of the project's amounts, and the time zone in which its days begin. */
export interface Units {
  /** Is `null` if the project has no currency. */
  readonly currency: string | null;
  readonly decimals: number;
  readonly timezone: string;
}

/** Holds the units of the project. A key without the scope of reports cannot read them. */
export const units = signal<Units | undefined>(undefined);

/** Returns the decimals by which browsers write a currency. */
function usualDecimals(code: string): number {
  if (!isCurrencyCode(code)) return 2;
  const { maximumFractionDigits } = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: code,
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/** The currency in which amounts are shown and entered. */
export const currency = computed((): Currency => {
  const code = units.value?.currency ?? chosenCurrency.value;
  return { code, decimals: units.value?.decimals ?? usualDecimals(code) };
});

/** Reads the units of the project. The list of reports has them, because app keys read no project. */
export async function readUnits(): Promise<Units | undefined> {
  // The screen did not make this call, so it is not listed among those that are shown for a terminal.
  const reply = await api.GET('/v1/reports', { fetch }).catch(() => undefined);
  if (!reply?.data) return undefined;
  const { currency, currency_decimals: decimals, timezone } = reply.data;
  return { currency, decimals, timezone };
}

/** Writes and reads amounts of a currency. The API has amounts in minor units, which are integers. */

export interface Currency {
  /** The code (ISO 4217). Empty if the currency is unknown. */
  readonly code: string;
  readonly decimals: number;
}

export interface Amounts {
  /** Writes minor units with the currency. */
  readonly write: (minor: number) => string;
  /** Writes minor units for a field, without the currency and without groups of digits. */
  readonly writePlain: (minor: number) => string;
  /** Reads an entered amount, such as 12.50 or 1,200, as minor units. */
  readonly read: (text: string) => number;
  /** The pattern of an entered amount. */
  readonly pattern: string;
  /** Returns the minor units of an amount of major units. */
  readonly of: (major: number) => number;
}

export const isCurrencyCode = (code: string) => /^[A-Z]{3}$/.test(code);

/** Matches spaces, apostrophes between groups, and the marks of direction that some locales put before a sign. */
const unseen = /[\s'’\u200e\u200f\u061c]/g;

function groupMarkOf(locale: string | undefined): string | undefined {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1_234_567);
  return parts.find(({ type }) => type === 'group')?.value;
}

/** Returns how amounts of a currency are written and read in a locale. The browser's locale is the default. */
export function amountsOf({ code, decimals }: Currency, locale?: string): Amounts {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const style = isCurrencyCode(code) ? ({ style: 'currency', currency: code } as const) : {};
  const full = new Intl.NumberFormat(locale, { ...style, ...digits });
  const plain = new Intl.NumberFormat(locale, { ...digits, useGrouping: false, numberingSystem: 'latn' });
  const group = groupMarkOf(locale);
  const size = 10 ** decimals;

  const read = (text: string): number => {
    const typed = text.replaceAll(unseen, '').replace('−', '-');
    const mark = Math.max(typed.lastIndexOf(','), typed.lastIndexOf('.'));
    const isThousand = /^\d{3}$/.test(typed.slice(mark + 1));
    // A currency without decimals has only the mark of groups.
    const isGroup = isThousand && (decimals === 0 || typed[mark] === group);
    const [whole, fraction] = mark < 0 || isGroup ? [typed, ''] : [typed.slice(0, mark), typed.slice(mark + 1)];
    return Math.round(Number(`${whole.replaceAll(/[.,]/g, '')}.${fraction}`) * size) || 0;
  };

  return {
    write: (minor) => full.format(minor / size),
    writePlain: (minor) => plain.format(minor / size).replace('−', '-'),
    read,
    pattern: decimals === 0 ? '[0-9]+([.,][0-9]{3})*' : '[0-9]*[.,]?[0-9]+',
    of: (major) => Math.round(major * size),
  };
}

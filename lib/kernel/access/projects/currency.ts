/** Defines how many decimals amounts have in files, formulas and ratios of exchange. */

/**
 * A project without a currency has amounts with hundredths, as does a project that had a currency before currencies had
 * decimals.
 */
export const defaultDecimals = 2;

/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const decimalsOf = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

interface Money {
  readonly currency?: string | undefined;
  readonly currency_decimals?: number | undefined;
}

/**
 * Returns the decimals that sent settings change. A new currency brings its decimals. A project whose currency is older
 * than its decimals keeps hundredths until it gets another currency, or sets its decimals itself.
 */
export function decimalsOfSent({ currency, currency_decimals }: Money, before: Money = {}): Money {
  if (currency_decimals !== undefined) return { currency_decimals };
  if (currency === undefined || currency === before.currency) return {};
  const decimals = decimalsOf.get(currency) ?? defaultDecimals;
  return decimals === (before.currency_decimals ?? defaultDecimals) ? {} : { currency_decimals: decimals };
}

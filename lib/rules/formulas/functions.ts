import { readClock, readMoment } from '../../core/local-time.ts';
import type { Value } from './facts.ts';

/** Functions of present values. The result is `undefined` for unsuitable values. */

type Apply = (...args: readonly Value[]) => Value | undefined;

function ofNumbers(compute: (...args: readonly number[]) => number): Apply {
  return (...args) => {
    const numbers = args.filter((arg) => typeof arg === 'number');
    if (args.length === 0 || numbers.length < args.length) return undefined;
    const result = compute(...numbers);
    return Number.isFinite(result) ? result : undefined;
  };
}

/** Further digits are an error of the last binary place: 1.005 × 100 is 100.49999999999999. */
const exactDigits = 15;

/** Rounds to decimal places, or with a negative number to tens, hundreds and so on. */
function toPlaces(round: (value: number) => number): Apply {
  return ofNumbers((value, places = 0) => {
    const factor = 10 ** Math.trunc(places);
    return round(Number((value * factor).toPrecision(exactDigits))) / factor;
  });
}

function ofDate(part: (date: Date) => number): Apply {
  return (value) => {
    const date = value === undefined ? undefined : readMoment(value);
    return date && part(date);
  };
}

const toDate: Apply = (text) => (typeof text === 'string' ? readMoment(text) : undefined);

export const functions: Readonly<Record<string, Apply>> = {
  MIN: ofNumbers(Math.min),
  MAX: ofNumbers(Math.max),
  POW: (...args) => (args.length === 2 ? ofNumbers((base, exponent) => base ** (exponent ?? 1))(...args) : undefined),
  ROUND: toPlaces(Math.round),
  FLOOR: toPlaces(Math.floor),
  CEIL: toPlaces(Math.ceil),
  DATE: toDate,
  DATE_TIME: toDate,
  DAY_OF_MONTH: ofDate((date) => readClock(date).getUTCDate()),
  MONTH: ofDate((date) => readClock(date).getUTCMonth() + 1),
  YEAR: ofDate((date) => readClock(date).getUTCFullYear()),
};

/** Functions that return parts of today if no date is named. */
export const ofTodayAlone: ReadonlySet<string> = new Set(['DAY_OF_MONTH', 'MONTH', 'YEAR']);

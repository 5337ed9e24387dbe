import type * as v from 'valibot';
import { findWithinTwoLetters } from '#kernel/core/spelling.ts';
import { findUnknownFields } from './unknown-fields.ts';

/**
 * Objects that decide money. A misspelled field is refused, because an ignored field would give another discount than
 * the caller meant.
 */
const ofMoney: readonly string[] = [
  'discount',
  'gift',
  'loyalty_card',
  'redemption',
  'referral_program',
  'reward',
  'loyalty',
  'parameters',
];

/**
 * If a body has more unknown fields, they are not checked for misspelled names: comparisons cost time, and a body can
 * have a million names.
 */
const maxCompared = 1_000;

/** Returns the faults of unknown fields that decide money and are within two letters of a known field. */
export function findMoneySlips(sent: unknown, schema: v.GenericSchema): string[] {
  let compared = 0;
  const nearest = (name: string, known: Iterable<string>, path: readonly string[]) => {
    if (!path.some((one) => ofMoney.includes(one)) || compared === maxCompared) return undefined;
    compared += 1;
    return findWithinTwoLetters(name, known);
  };
  const slips: string[] = [];
  for (const { place, meant } of findUnknownFields(sent, [schema], { nearest })) {
    if (meant !== undefined) slips.push(`${place} does not exist: write ${meant}, or leave it out`);
  }
  return slips;
}

import type * as v from 'valibot';
import { withinTwoLetters } from '../core/spelling.ts';
import { unknownFields } from './unknown-fields.ts';

/** Objects that decide money. A slip in one of their fields is refused: ignored, it would give another discount than was meant. */
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

/** Of more unknown fields no slips are looked for: to compare names takes time, and a body has room for a million. */
const maxCompared = 1_000;

/** Returns what is wrong with the unknown fields of a body that decide money and are within two letters of a known one. */
export function slipsIn(sent: unknown, schema: v.GenericSchema): string[] {
  let compared = 0;
  const nearest = (name: string, known: Iterable<string>, path: readonly string[]) => {
    if (!path.some((one) => ofMoney.includes(one)) || compared === maxCompared) return undefined;
    compared += 1;
    return withinTwoLetters(name, known);
  };
  const slips: string[] = [];
  for (const { place, meant } of unknownFields(sent, [schema], { nearest })) {
    if (meant !== undefined) slips.push(`${place} does not exist: write ${meant}, or leave it out`);
  }
  return slips;
}

import type * as v from 'valibot';
import { described } from '../../core/documented.ts';

/** Describes the two ratios of a COIN reward, in the same words in bodies and replies (docs/rewards.md#coins). */

export function exchangeRatio<S extends v.GenericSchema>(schema: S): S {
  return described(
    schema,
    'Major currency units that one block of `points_ratio` points pays, unlike amounts, which are in minor units. With 1 and 1, 18 points pay 18.00; with 0.5 and 10, 40 points pay 2.00.',
  );
}

export function pointsRatio<S extends v.GenericSchema>(schema: S): S {
  return described(schema, 'Points in one block. A block pays `exchange_ratio` major currency units.');
}

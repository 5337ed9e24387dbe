import type * as v from 'valibot';
import { described } from '../../core/documented.ts';

/** Describes the two ratios of a COIN reward, in the same words in bodies and replies (docs/rewards.md#coins). */

export function exchangeRatio<S extends v.GenericSchema>(schema: S): S {
  return described(
    schema,
    'The number of major currency units that one block of `points_ratio` points pays. With 1 and 1, 18 points pay ' +
      '18.00. With 0.5 and 10, 40 points pay 2.00. Amounts elsewhere are in minor units.',
  );
}

export function pointsRatio<S extends v.GenericSchema>(schema: S): S {
  return described(schema, 'The number of points in one block. A block pays `exchange_ratio` major currency units.');
}

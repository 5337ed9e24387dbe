import * as v from 'valibot';
import { rewards } from '#engine/loyalty/reward.ts';
import { uniqueId } from '../../../support/dependencies.ts';

export const newKey = () => rewards(uniqueId('proj_'), 'r');
export const anything = v.record(v.string(), v.unknown());

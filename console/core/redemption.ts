import type { Schemas } from './api.ts';

/** Is a redemption or a rollback. Lists have both. */
export type Redemption = Schemas['GetRedemptionReply'];

import type { Schemas } from './api.ts';

/** A redemption or a rollback. Lists contain both. */
export type Redemption = Schemas['GetRedemptionReply'];

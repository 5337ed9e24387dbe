import type { Caller } from '../../http/context.ts';
import { digested } from '../../table/keys.ts';

/** Pages are told apart by this: it stands in each of their locks, so that it is short. */
const lengthOfName = 16;

/** One key at one address; as a digest, for addresses are of people. */
export function pageOf({ appId, address }: Pick<Caller, 'appId' | 'address'>): string {
  return digested(`${appId}\n${address ?? ''}`).slice(0, lengthOfName);
}

import type { Caller } from '../../http/context.ts';
import { digested } from '../../table/keys.ts';

/** Identifies a page. It is short, because each of the page's locks has it. */
const lengthOfName = 16;

/** Identifies one key at one address, by a digest, because addresses are personal data. */
export function pageOf({ appId, address }: Pick<Caller, 'appId' | 'address'>): string {
  return digested(`${appId}\n${address ?? ''}`).slice(0, lengthOfName);
}

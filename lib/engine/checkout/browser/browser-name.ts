import type { Caller } from '#kernel/http/context.ts';
import { digestPart } from '#kernel/table/keys.ts';

/** Identifies a page. It is short, because each of the page's locks has it. */
const lengthOfName = 16;

/** Identifies one key at one address, by a digest, because addresses are personal data. */
export function nameBrowser({ appId, address }: Pick<Caller, 'appId' | 'address'>): string {
  return digestPart(`${appId}\n${address ?? ''}`).slice(0, lengthOfName);
}

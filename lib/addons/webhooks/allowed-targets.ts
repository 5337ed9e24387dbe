import { isIP } from 'node:net';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Managing } from '#kernel/http/context.ts';
import { isHidden } from './target.ts';
import { readTarget } from './target-address.ts';

/** Refuses targets that a deployment never calls, before the first event fails. */

/** Returns why a deployment with these targets never calls the address. */
export function explainRefusedTarget(address: string, allowed: readonly string[]): string | undefined {
  const target = readTarget(address);
  if (target.kind === 'log') return undefined;
  if (target.kind !== 'address') {
    const listed = allowed.length > 0 ? allowed.join(', ') : 'none';
    return allowed.includes(address)
      ? undefined
      : `must be among the event-targets of this deployment (${listed}): add ${address} there, for all of its projects`;
  }
  const { protocol, hostname } = new URL(target.url);
  if (protocol !== 'https:') return 'must be an https address';
  const host = hostname.replace(/^\[|\]$/g, '');
  const isOwn = host === 'localhost' || (isIP(host) !== 0 && isHidden(host));
  return isOwn ? `has the address ${host}, which is not public` : undefined;
}

/** Throws 400 for a target that this deployment never calls. The local server calls all targets. */
export function checkTarget(
  { eventTargets }: Managing,
  { target_url }: { readonly target_url?: string | undefined },
): void {
  if (target_url === undefined || eventTargets === undefined) return;
  const refusal = explainRefusedTarget(target_url, eventTargets);
  if (refusal !== undefined) throw new ServiceError('invalid_payload', { details: `target_url ${refusal}` });
}

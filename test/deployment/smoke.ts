import { runOperator } from './commands.ts';
import type { Place } from './walk.ts';

/** Runs the operators' own check. Returns its last line, such as "36 of 36 calls answered as they should". */
export async function smoke({ shell, project, address }: Place): Promise<string> {
  const env = { APP_ID: project.appId, APP_TOKEN: project.appToken };
  const printed = await runOperator(shell, ['infra/operator/smoke.ts', address], env);
  return /(\d+) of \1 calls/.exec(printed)?.[0] ?? printed;
}

const parallelCalls = 20;

/**
 * Starts the functions that `npm run smoke` calls in parallel. A machine with two cores could not start twenty of them
 * within the time limit of a call.
 */
export async function warmUp({ address, project }: Place): Promise<void> {
  const headers = { 'x-app-id': project.appId, 'x-app-token': project.appToken, 'content-type': 'application/json' };
  const body = JSON.stringify({ redeemables: [{ object: 'voucher', id: 'unknown' }], order: { amount: 1_000 } });
  const redeem = () => fetch(new URL('/v1/redemptions', address), { method: 'POST', headers, body });
  await Promise.all(Array.from({ length: parallelCalls }, redeem));
}

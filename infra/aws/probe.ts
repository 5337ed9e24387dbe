import * as v from 'valibot';
import { readSettings } from '../environment.ts';

/** A probe that takes longer is a failed one. */
const patienceInMs = 10_000;

const environment = v.object({ API_URL: v.pipe(v.string(), v.url()) });
const refusal = v.looseObject({ key: v.literal('unauthorized') });

/**
 * Asks the till for a validation with an app key that nobody has. The refusal comes from the function, which has looked the key up
 * in the table: so the address, the gateway, the function and the table work, and no secret is needed.
 */
export async function probe(apiUrl: string, timeoutInMs: number = patienceInMs): Promise<void> {
  const reply = await fetch(new URL('/v1/validations', apiUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-id': 'tessera-probe', 'x-app-token': 'tessera-probe' },
    body: JSON.stringify({ redeemables: [{ object: 'voucher', id: 'tessera-probe' }] }),
    signal: AbortSignal.timeout(timeoutInMs),
  });
  const text = await reply.text();
  const isRefusal = reply.status === 401 && v.safeParse(v.pipe(v.string(), v.parseJson(), refusal), text).success;
  if (!isRefusal) throw new Error(`the probe was answered with ${reply.status}: ${text.slice(0, 500)}`);
}

/** Is called by the schedule, each minute. Its failures are the metric that the alarm reads. */
export async function handler(): Promise<void> {
  await probe(readSettings(environment, process.env).API_URL);
}

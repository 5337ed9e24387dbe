import * as v from 'valibot';
import { readSettings } from '../environment.ts';

/** A slower probe counts as failed. */
const patienceInMs = 10_000;

const environment = v.object({ API_URL: v.pipe(v.string(), v.url()) });
const refusal = v.looseObject({ key: v.literal('unauthorized') });

/**
 * Sends a validation to the till with an unknown app key. The function looks the key up in the table and refuses it. So
 * address, gateway, function and table work, and the probe needs no secret.
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

/** The schedule calls this handler each minute. The alarm reads its failures. */
export async function handler(): Promise<void> {
  await probe(readSettings(environment, process.env).API_URL);
}

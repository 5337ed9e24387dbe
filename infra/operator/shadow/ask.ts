import { readText } from '../read-text.ts';
import type { Answer } from './compare.ts';

/** Sends a service the requests that the till sent to another service. */

export interface Service {
  readonly url: string;
  readonly appId: string;
  readonly appToken: string;
  readonly timeoutInMs: number;
}

/** Only these requests change nothing, so that they can be sent twice. */
const asked = /^\/v1\/(?:validations|qualifications|vouchers\/[^/]+\/validate|promotions\/validation)$/;

/** Returns the address of a path at a service, whose host and port stay, or `undefined` if it would be read as another path. */
function addressOf(path: string, service: string): URL | undefined {
  const [plain = ''] = path.split('?');
  const base = new URL(service);
  if (!plain.startsWith('/') || !URL.canParse(`${base.origin}${path}`)) return undefined;
  const address = new URL(`${base.origin}${path}`);
  return address.origin === base.origin && address.pathname === plain ? address : undefined;
}

export function isAskable(method: string, path: string): boolean {
  const address = addressOf(path, 'http://service');
  return method === 'POST' && address !== undefined && asked.test(address.pathname);
}

/** A session locks what it validates, so the request would change the service. */
export function hasSession(body: string): boolean {
  try {
    return Boolean(Object(JSON.parse(body)).session);
  } catch {
    return false;
  }
}

export function parseAnswer(status: number, text: string): Answer {
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: text };
  }
}

/** Answers of the API have at most 6 MB. */
const largestAnswer = 10_000_000;

export async function ask({ url, appId, appToken, timeoutInMs }: Service, path: string, body: string): Promise<Answer> {
  const address = addressOf(path, url);
  if (!address) throw new Error(`${path} is not a path of a service`);
  const response = await fetch(address, {
    method: 'POST',
    // Another host must not get the token.
    redirect: 'error',
    headers: { 'content-type': 'application/json', 'x-app-id': appId, 'x-app-token': appToken },
    body,
    signal: AbortSignal.timeout(timeoutInMs),
  });
  return parseAnswer(response.status, await readText(response, largestAnswer));
}

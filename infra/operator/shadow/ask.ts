import type { Answer } from './compare.ts';

/** Asks a service what the till asked another one. */

export interface Service {
  readonly url: string;
  readonly appId: string;
  readonly appToken: string;
  readonly timeoutInMs: number;
}

/** Only these requests change nothing, so that they can be asked twice. */
const asked = /^\/v1\/(?:validations|qualifications|vouchers\/[^/]+\/validate|promotions\/validation)$/;

export function isAskable(method: string, path: string): boolean {
  return method === 'POST' && asked.test(path.split('?')[0] ?? '');
}

/** A session locks what it validates, so it is no question. */
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

export async function ask({ url, appId, appToken, timeoutInMs }: Service, path: string, body: string): Promise<Answer> {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-id': appId, 'x-app-token': appToken },
    body,
    signal: AbortSignal.timeout(timeoutInMs),
  });
  return parseAnswer(response.status, await response.text());
}

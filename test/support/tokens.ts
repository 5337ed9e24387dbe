import { expect } from 'vitest';
import type { Dependencies } from '#kernel/http/composition.ts';
import { handler as issue } from '../../functions/oauth/issue-token.ts';
import { caller } from './call.ts';
import { testDependencies } from './dependencies.ts';

export const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Requests a bearer token with the scopes, as a client does. */
export async function issueToken(
  credentials: Record<string, string>,
  scope: string,
  dependencies: Dependencies = testDependencies(),
): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope }).toString();
  const reply = await caller(issue, dependencies)({ headers: { ...credentials, ...form }, body });
  expect(reply.status).toBe(200);
  return reply.body.access_token;
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

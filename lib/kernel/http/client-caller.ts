import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Dependencies } from './composition.ts';
import type { Caller } from './context.ts';
import { buildSharingHeaders } from './cors.ts';
import type { RequestScope } from './request-scope.ts';

type Headers = APIGatewayProxyEventV2['headers'];

const pageRefused = (details: string) => new ServiceError('unauthorized', { details });

/**
 * Authenticates by a client key. The browser must name one of the key's origins. An unknown id, a wrong token and an
 * inactive key are refused in the same way. Only a caller who has the right token learns that the page is the cause.
 */
export async function callerOfClientKey(
  { credentialCache }: Dependencies,
  scope: RequestScope,
  headers: Headers,
): Promise<Caller> {
  const { table, now } = scope;
  const { 'x-client-application-id': id, 'x-client-token': token, origin } = headers;
  if (!id || !token) throw pageRefused('X-Client-Application-Id and X-Client-Token are required: send both headers');
  if (!origin) {
    throw pageRefused(
      'the header Origin is required: browsers send it, and any other caller must name a page of the key',
    );
  }
  const key = await credentialCache.acceptedClientKey(table, { id, token, origin }, now);
  if (key === 'foreign page') {
    throw pageRefused(
      'the page in Origin may not use this key: add its origin to the key, or its host to client_trusted_domains of the project',
    );
  }
  const project = key && (await credentialCache.project(table, key.project_id, now));
  if (!project) {
    throw pageRefused('X-Client-Application-Id and X-Client-Token must name an active client key and its token');
  }
  // The browser shows the reply only to this web page.
  Object.assign(scope.replyHeaders, buildSharingHeaders(origin));
  return { project, appId: key.client_application_id, appName: key.name, origin };
}

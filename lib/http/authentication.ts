import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { Dependencies } from '../composition.ts';
import { ServiceError } from '../errors.ts';
import type { Manager } from '../management/manager.ts';
import type { Route } from '../routes/route.ts';
import { opens } from '../tokens/scopes.ts';
import type { Caller, Scope, Step } from './scope.ts';

/** What the gateway tells of a call that it has let in by IAM. */
const letInByIam = v.object({ authorizer: v.object({ iam: v.object({ userArn: v.pipe(v.string(), v.nonEmpty()) }) }) });

type Event = Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>;
type Headers = Event['headers'];

const appKeyRefused = () =>
  new ServiceError('unauthorized', { details: 'X-App-Id and X-App-Token must name an active app key and its token' });

/** RFC 6750 §3: an error code only where a bearer token was presented. */
const tokenRefused = (details: string, challenge: string) =>
  new ServiceError('unauthorized', { details, headers: { 'WWW-Authenticate': challenge } });

/** Contract, "Authentication" 1. */
async function callerOfAppKey({ credentialCache }: Dependencies, scope: Scope, headers: Headers): Promise<Caller> {
  const { table, now } = scope;
  const appId = headers['x-app-id'];
  const appToken = headers['x-app-token'];
  if (!appId || !appToken) throw appKeyRefused();
  const appKey = await credentialCache.acceptedAppKey(table, appId, appToken, now);
  const project = appKey && (await credentialCache.project(table, appKey.project_id, now));
  if (!project) throw appKeyRefused();
  return { project, appId: appKey.app_id, appName: appKey.name };
}

/** RFC 6750 §2.1; the scheme's name is case-insensitive (RFC 9110 §11.1). */
function presentedToken(authorization: string): string {
  const [scheme = '', ...rest] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'bearer') {
    throw tokenRefused('Authorization must be a bearer token: Bearer <token>', 'Bearer');
  }
  return rest.join(' ').trim();
}

async function callerOfToken(
  { credentialCache }: Dependencies,
  { table, now }: Scope,
  authorization: string,
): Promise<Caller> {
  const accessToken = presentedToken(authorization);
  const accepted = accessToken ? await credentialCache.acceptedToken(table, accessToken, now) : undefined;
  const project = accepted && (await credentialCache.project(table, accepted.token.project_id, now));
  if (!project) throw tokenRefused('the bearer token is unknown, expired or revoked', 'Bearer error="invalid_token"');
  const { token, appKey } = accepted;
  return { project, appId: token.app_id, appName: appKey.name, scopes: token.scopes };
}

function insufficientScope(family: string): ServiceError {
  return new ServiceError('insufficient_scope', {
    details: `the token must have the scope api or ${family}`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${family}"` },
  });
}

async function managerOfKey({ credentialCache }: Dependencies, { table, now }: Scope, headers: Headers) {
  const id = headers['x-management-id'];
  const token = headers['x-management-token'];
  const key = id && token ? await credentialCache.acceptedManagementKey(table, id, token, now) : undefined;
  if (key) return { name: key.management_id, projectId: key.project_id };
  throw new ServiceError('unauthorized', {
    details: 'X-Management-Id and X-Management-Token must name a management key and its token',
  });
}

/** Ruling B.6. No `default`: a new guard doesn't compile before it is one. */
async function identifyManager(dependencies: Dependencies, scope: Scope, event: Event): Promise<Manager> {
  switch (dependencies.managementGuard) {
    case 'open':
      return { name: 'the operator of this server' };
    case 'keys':
      return managerOfKey(dependencies, scope, event.headers);
    case 'iam': {
      // The gateway has checked it; a call that has not come through its authorizer gets no further.
      const { success, output } = v.safeParse(letInByIam, event.requestContext);
      if (success) return { name: nameOfArn(output.authorizer.iam.userArn) };
      throw new ServiceError('unauthorized', { details: 'the request must be signed with AWS Signature Version 4' });
    }
  }
}

/** `arn:aws:sts::123456789012:assumed-role/Support/ola`: the last step is the user's or the session's name. */
function nameOfArn(arn: string): string {
  return arn.split(/[:/]/).at(-1) ?? arn;
}

async function identify(route: Route, dependencies: Dependencies, scope: Scope, event: Event): Promise<void> {
  const { headers } = event;
  const { authorization } = headers;
  if (route.authentication === 'management') {
    scope.manager = await identifyManager(dependencies, scope, event);
    return;
  }
  // Where there is an Authorization header it alone decides; the OAuth paths take the two app headers and nothing else.
  if (route.authentication === 'server' && authorization !== undefined) {
    scope.caller = await callerOfToken(dependencies, scope, authorization);
  } else if (route.authentication !== 'none') {
    scope.caller = await callerOfAppKey(dependencies, scope, headers);
  }
}

export function authenticate(route: Route, dependencies: () => Dependencies): Step {
  return { before: ({ event, internal }) => identify(route, dependencies(), internal.scope, event) };
}

/** Apart from who calls, so that calls which a token does not open count as the caller's too. */
export function authorize(route: Route): Step {
  return {
    before: ({ internal: { scope } }) => {
      const scopes = scope.caller?.scopes;
      if (route.authentication !== 'server' || scopes === undefined) return;
      if (!opens(scopes, route.scope)) throw insufficientScope(route.scope);
    },
  };
}

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { ClientSwitch } from '#kernel/access/projects/client-switches.ts';
import { findWidestScope, isScopeGranted, type PathScope } from '#kernel/access/scopes.ts';
import { deriveUserId, toLogin } from '#kernel/access/users/account.ts';
import type { Manager } from '#kernel/access/users/manager.ts';
import { findNeededRight, findRight, findRoleFamily, isRightEnough } from '#kernel/access/users/roles.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { readClientAddress } from './client-address.ts';
import { callerOfClientKey } from './client-caller.ts';
import type { Dependencies } from './composition.ts';
import type { Caller } from './context.ts';
import { buildSharingHeaders } from './cors.ts';
import type { CredentialCache, Trust } from './credential-cache.ts';
import { distributionHeaders, readDistributionHeaders } from './distribution.ts';
import type { Middleware, RequestScope } from './request-scope.ts';
import { canTakeTokens, isBrowserCall, type Route } from './route.ts';

/** The identity that the gateway adds to a call that IAM accepted. */
const letInByIam = v.object({ authorizer: v.object({ iam: v.object({ userArn: v.pipe(v.string(), v.nonEmpty()) }) }) });

type Event = Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>;
type Headers = Event['headers'];

const appKeyRefused = () =>
  new ServiceError('unauthorized', { details: 'X-App-Id and X-App-Token must name an active app key and its token' });

/** Makes a 401 with this challenge. Only the challenge for a presented token has an error code (RFC 6750 §3). */
const tokenRefused = (details: string, challenge: string) =>
  new ServiceError('unauthorized', { details, headers: { 'WWW-Authenticate': challenge } });

async function callerOfAppKey(
  { credentialCache }: Dependencies,
  scope: RequestScope,
  headers: Headers,
): Promise<Caller> {
  const { table, now } = scope;
  const appId = headers['x-app-id'];
  const appToken = headers['x-app-token'];
  if (!appId || !appToken) throw appKeyRefused();
  const appKey = await credentialCache.acceptedAppKey(table, appId, appToken, now);
  const project = appKey && (await credentialCache.project(table, appKey.project_id, now));
  if (!project) throw appKeyRefused();
  return { project, appId: appKey.app_id, appName: appKey.name };
}

/** Returns the bearer token of the header. The case of the scheme does not matter (RFC 6750 §2.1, RFC 9110 §11.1). */
function presentedToken(authorization: string): string {
  const [scheme = '', ...rest] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'bearer') {
    throw tokenRefused('Authorization must be a bearer token: Bearer <token>', 'Bearer');
  }
  return rest.join(' ').trim();
}

async function callerOfToken(
  { credentialCache }: Dependencies,
  { table, now }: RequestScope,
  authorization: string,
): Promise<Caller> {
  const accessToken = presentedToken(authorization);
  const accepted = accessToken ? await credentialCache.acceptedToken(table, accessToken, now) : undefined;
  const project = accepted && (await credentialCache.project(table, accepted.token.project_id, now));
  if (!project) throw tokenRefused('the bearer token is unknown, expired or revoked', 'Bearer error="invalid_token"');
  const { token, appKey, role } = accepted;
  const ofUser = role === undefined ? {} : { role };
  return { project, appId: token.app_id, appName: appKey.name, scopes: token.scopes, ...ofUser };
}

function insufficientScope(
  wanted: PathScope,
  details = `the token must have the scope ${findWidestScope(wanted)} or ${wanted}`,
): ServiceError {
  return new ServiceError('insufficient_scope', {
    details,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${wanted}"` },
  });
}

/** Returns the scope that a token needs. The widest scope of its paths (`findWidestScope`) also suffices. */
export function findPathScope({ authentication, scope }: Pick<Route, 'authentication' | 'scope'>): PathScope {
  return scope ?? (authentication === 'client' ? 'client_api' : 'api');
}

/** Refuses a call that the role of the user does not allow. */
function checkRole(route: Route, role: string, refuse: (details: string) => ServiceError): void {
  const family = findRoleFamily(route.authentication === 'management' ? 'management' : findPathScope(route));
  const needed = findNeededRight(route);
  if (isRightEnough(findRight(role, family), needed)) return;
  throw refuse(
    `the role ${role} of the user does not allow to ${needed} ${family}: ask an owner of the project for another role`,
  );
}

function switchedOff(name: ClientSwitch): ServiceError {
  return new ServiceError('client_side_disabled', {
    details: `the project does not let pages do this: its switch client.${name} is off`,
  });
}

/** Returns the user of a key that acts for a user. A user without a role in the key's project is refused. */
async function userOfKey(
  cache: CredentialCache,
  table: RequestScope['table'],
  { login, projectId, trust }: { login: string | undefined; projectId: string; trust: Trust },
  now: Date,
): Promise<Pick<Manager, 'user'> | 'refused'> {
  if (login === undefined) return {};
  const userId = deriveUserId(login);
  const role = await cache.roleIn(table, { projectId, userId, trust }, now);
  return role === undefined ? 'refused' : { user: { id: userId, login: toLogin(login), role } };
}

/** Authenticates by a management key. A call that writes reads the key and the role of its user from the table. */
async function managerOfKey(route: Route, { credentialCache }: Dependencies, scope: RequestScope, headers: Headers) {
  const { table, now } = scope;
  const { 'x-management-id': id, 'x-management-token': token } = headers;
  const trust = findNeededRight(route) === 'write' ? 'table' : 'memory';
  const key = id && token ? await credentialCache.acceptedManagementKey(table, { id, token, trust }, now) : undefined;
  const { project_id: projectId, login } = key ?? {};
  if (key && projectId === undefined) return { name: key.management_id };
  // The key of a deleted project is refused.
  const project = projectId === undefined ? undefined : await credentialCache.project(table, projectId, now);
  const user = project && (await userOfKey(credentialCache, table, { login, projectId: project.id, trust }, now));
  if (key && user && user !== 'refused') return { name: key.management_id, projectId: project.id, ...user };
  throw new ServiceError('unauthorized', {
    details: 'X-Management-Id and X-Management-Token must name a management key and its token',
  });
}

/**
 * Authenticates by the guard of the management paths (docs/tokens-and-keys.md#credentials). Without a `default`, a new guard does not compile
 * until it is handled here.
 */
async function identifyManager(
  route: Route,
  dependencies: Dependencies,
  scope: RequestScope,
  event: Event,
): Promise<Manager> {
  switch (dependencies.managementGuard) {
    case 'open':
      return { name: 'the operator of this server' };
    case 'keys':
      return managerOfKey(route, dependencies, scope, event.headers);
    case 'iam': {
      // The gateway has checked the signature. A call that bypassed its authorizer is refused.
      const { success, output } = v.safeParse(letInByIam, event.requestContext);
      if (success) return { name: nameOfArn(output.authorizer.iam.userArn) };
      throw new ServiceError('unauthorized', { details: 'the request must be signed with AWS Signature Version 4' });
    }
  }
}

/** Returns the last part of `arn:aws:sts::123456789012:assumed-role/Support/ola`, the name of a user or a session. */
function nameOfArn(arn: string): string {
  return arn.split(/[:/]/).at(-1) ?? arn;
}

async function identify(route: Route, dependencies: Dependencies, scope: RequestScope, event: Event): Promise<void> {
  const { headers } = event;
  const { authorization } = headers;
  if (route.authentication === 'none') return;
  if (route.authentication === 'management') {
    scope.manager = await identifyManager(route, dependencies, scope, event);
  } else if (canTakeTokens(route) && authorization !== undefined) {
    // If the call has an Authorization header, it alone decides.
    scope.caller = await callerOfToken(dependencies, scope, authorization);
    const { origin } = headers;
    // A page of any origin may read the reply to its token, on client paths alone. Server paths are not for pages.
    if (route.authentication === 'client' && origin) Object.assign(scope.replyHeaders, buildSharingHeaders(origin));
  } else if (route.authentication === 'client' && !(route.serverKeys && headers['x-app-id'] !== undefined)) {
    scope.caller = await callerOfClientKey(dependencies, scope, headers);
  } else {
    scope.caller = await callerOfAppKey(dependencies, scope, headers);
  }
}

const longestChannel = 100;

/** Names that only the service itself uses as a source. Headers of callers must not use them. */
const ownWords: ReadonlySet<string> = new Set(['api', 'automation', 'client_api', 'internal', 'system', 'user_portal']);

/** Returns the caller's channel, at most 100 characters, because changes of balances store it. */
function channelOf({ 'x-voucherify-channel': channel }: Headers): { channel?: string } {
  const own = channel?.trim().slice(0, longestChannel);
  const isOwnWord = ownWords.has(own?.normalize('NFKC').trim().toLowerCase() ?? '');
  return own && !isOwnWord ? { channel: own } : {};
}

/** Returns the address of a calling browser. Only calls of browsers are counted by address. */
function addressOf(route: Route, caller: Caller, event: Event, dependencies: Dependencies): { address?: string } {
  if (!isBrowserCall(route, caller)) return {};
  const { addressHeader, distributionProof } = dependencies;
  const header = readDistributionHeaders(event, distributionProof) ? distributionHeaders.viewer : addressHeader;
  return { address: readClientAddress(event, header) };
}

export function authenticate(route: Route, dependencies: () => Dependencies): Middleware {
  return {
    before: async ({ event, internal: { scope } }) => {
      await identify(route, dependencies(), scope, event);
      if (scope.caller) {
        const address = addressOf(route, scope.caller, event, dependencies());
        scope.caller = { ...scope.caller, ...channelOf(event.headers), ...address };
      }
    },
  };
}

/** Checks scopes and roles after the rate limit, so that calls that they refuse also count. */
export function authorize(route: Route): Middleware {
  return {
    before: ({ internal: { scope } }) => {
      const scopes = scope.caller?.scopes;
      const wanted = findPathScope(route);
      if (scopes !== undefined && !isScopeGranted(scopes, wanted)) throw insufficientScope(wanted);
      const { role } = scope.caller ?? {};
      if (role !== undefined) checkRole(route, role, (details) => insufficientScope(wanted, details));
      const { user } = scope.manager ?? {};
      if (user) checkRole(route, user.role, (details) => new ServiceError('forbidden', { details }));
      const { clientSwitch } = route;
      if (clientSwitch === undefined || !scope.caller || !isBrowserCall(route, scope.caller)) return;
      if (!scope.caller.project.client[clientSwitch]) throw switchedOff(clientSwitch);
    },
  };
}

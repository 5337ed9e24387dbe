import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { ServiceError } from '../core/errors.ts';
import { clientAddress } from './client-address.ts';
import type { Dependencies } from './composition.ts';
import type { Caller, Manager } from './context.ts';
import { sharedWith } from './cors.ts';
import { distributionHeaders, throughDistribution } from './distribution.ts';
import type { ClientSwitch } from './projects/project.ts';
import { isOfPage, type Route, scopeOf, takesTokens } from './route.ts';
import type { Scope, Step } from './scope.ts';
import { opens, type PathScope, widestOf } from './tokens/scopes.ts';

/** What the gateway adds to a call that it let in by IAM. */
const letInByIam = v.object({ authorizer: v.object({ iam: v.object({ userArn: v.pipe(v.string(), v.nonEmpty()) }) }) });

type Event = Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>;
type Headers = Event['headers'];

const appKeyRefused = () =>
  new ServiceError('unauthorized', { details: 'X-App-Id and X-App-Token must name an active app key and its token' });

/** RFC 6750 §3: an error code only where a bearer token was presented. */
const tokenRefused = (details: string, challenge: string) =>
  new ServiceError('unauthorized', { details, headers: { 'WWW-Authenticate': challenge } });

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

function insufficientScope(wanted: PathScope): ServiceError {
  return new ServiceError('insufficient_scope', {
    details: `the token must have the scope ${widestOf(wanted)} or ${wanted}`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${wanted}"` },
  });
}

function switchedOff(name: ClientSwitch): ServiceError {
  return new ServiceError('client_side_disabled', {
    details: `the project does not let pages do this: its switch client.${name} is off`,
  });
}

/** By the key that stands in a page, which the browser says is one of the key's origins. */
async function callerOfClientKey({ credentialCache }: Dependencies, scope: Scope, headers: Headers): Promise<Caller> {
  const { table, now } = scope;
  const { 'x-client-application-id': id, 'x-client-token': token, origin } = headers;
  const key = id && token && origin && (await credentialCache.acceptedClientKey(table, { id, token, origin }, now));
  const project = key && (await credentialCache.project(table, key.project_id, now));
  if (!project) {
    throw new ServiceError('unauthorized', {
      details:
        'X-Client-Application-Id and X-Client-Token must name an active client key and its token, and Origin one of its origins',
    });
  }
  // The browser shows the reply to no page but this one.
  Object.assign(scope.replyHeaders, sharedWith(origin));
  return { project, appId: key.client_application_id, appName: key.name, origin };
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

/** See docs/interface.md#credentials. Without a `default`, a new guard does not compile until it is handled here. */
async function identifyManager(dependencies: Dependencies, scope: Scope, event: Event): Promise<Manager> {
  switch (dependencies.managementGuard) {
    case 'open':
      return { name: 'the operator of this server' };
    case 'keys':
      return managerOfKey(dependencies, scope, event.headers);
    case 'iam': {
      // The gateway has checked the signature; a call that bypassed its authorizer is refused.
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
  if (route.authentication === 'none') return;
  if (route.authentication === 'management') {
    scope.manager = await identifyManager(dependencies, scope, event);
  } else if (takesTokens(route) && authorization !== undefined) {
    // Where there is an Authorization header it alone decides.
    scope.caller = await callerOfToken(dependencies, scope, authorization);
    const { origin } = headers;
    // Whoever has the token may read what it opens; server paths are no page's.
    if (route.authentication === 'client' && origin) Object.assign(scope.replyHeaders, sharedWith(origin));
  } else if (route.authentication === 'client' && !(route.serverKeys && headers['x-app-id'] !== undefined)) {
    scope.caller = await callerOfClientKey(dependencies, scope, headers);
  } else {
    scope.caller = await callerOfAppKey(dependencies, scope, headers);
  }
}

const longestChannel = 100;

/** Words by which the service says itself where something came from. No caller's header may say them. */
const ownWords: ReadonlySet<string> = new Set(['api', 'automation', 'client_api', 'internal', 'system', 'user_portal']);

/** It is kept with what the call does to balances, and may not make that long. */
function channelOf({ 'x-voucherify-channel': channel }: Headers): { channel?: string } {
  const own = channel?.trim().slice(0, longestChannel);
  const isOwnWord = ownWords.has(own?.normalize('NFKC').trim().toLowerCase() ?? '');
  return own && !isOwnWord ? { channel: own } : {};
}

/** Only pages are told apart by their addresses. */
function addressOf(route: Route, caller: Caller, event: Event, dependencies: Dependencies): { address?: string } {
  if (!isOfPage(route, caller)) return {};
  const { addressHeader, distributionProof } = dependencies;
  const header = throughDistribution(event, distributionProof) ? distributionHeaders.viewer : addressHeader;
  return { address: clientAddress(event, header) };
}

export function authenticate(route: Route, dependencies: () => Dependencies): Step {
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

/** Runs after the rate limit, so that calls refused for their scope count too. */
export function authorize(route: Route): Step {
  return {
    before: ({ internal: { scope } }) => {
      const scopes = scope.caller?.scopes;
      const wanted = scopeOf(route);
      if (scopes !== undefined && !opens(scopes, wanted)) throw insufficientScope(wanted);
      const { clientSwitch } = route;
      if (clientSwitch === undefined || !scope.caller || !isOfPage(route, scope.caller)) return;
      if (!scope.caller.project.client[clientSwitch]) throw switchedOff(clientSwitch);
    },
  };
}

import { findWidestScope } from '#kernel/access/scopes.ts';
import { findPathScope } from '#kernel/http/authentication.ts';
import type { Route } from '#kernel/http/route.ts';
import type { Json } from './schemas.ts';

/** Lists the schemes in the order in which the docs page shows them. The most common come first. */
const securitySchemes: Json = {
  appId: { type: 'apiKey', in: 'header', name: 'X-App-Id', description: 'The app id of a key of the project.' },
  appToken: { type: 'apiKey', in: 'header', name: 'X-App-Token', description: 'The token that belongs to the app id.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of POST /v1/oauth/token. Each operation names the scope that opens it.',
  },
  clientId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Client-Application-Id',
    description: 'The id of a client key. Origin must be one of its origins.',
  },
  clientToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Client-Token',
    description: 'The token that belongs to the client key.',
  },
  managementId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Management-Id',
    description: 'Id of a management key, if keys guard the paths.',
  },
  managementToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Management-Token',
    description: 'The token that belongs to the management key.',
  },
  iam: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'AWS Signature Version 4 of the service execute-api, if IAM guards the paths. That is the default on AWS.',
  },
};

/** Returns both scopes, because each of them opens the route. */
function bearerOf(route: Route): Record<string, string[]>[] {
  const wanted = findPathScope(route);
  return [{ bearer: [findWidestScope(wanted)] }, { bearer: [wanted] }];
}

/** Returns the ways to authenticate. Each of them is enough. */
export function listSecurity(route: Route): Record<string, string[]>[] {
  const appKey = { appId: [], appToken: [] };
  switch (route.authentication) {
    case 'server':
      return [appKey, ...bearerOf(route)];
    case 'client':
      return [{ clientId: [], clientToken: [] }, ...(route.serverKeys ? [appKey] : []), ...bearerOf(route)];
    case 'app-key':
      return [appKey];
    // The local server leaves these paths open unless it is started with another guard.
    case 'management':
      return [{ iam: [] }, { managementId: [], managementToken: [] }, {}];
    case 'none':
      return [];
  }
}

/** Returns the schemes that these routes use, because the docs page shows every scheme in the document. */
export function listSecuritySchemes(routes: readonly Route[]): Json {
  const used = new Set(routes.flatMap((route) => listSecurity(route).flatMap((scheme) => Object.keys(scheme))));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
}

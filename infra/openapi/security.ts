import { type Route, scopeOf } from '../../lib/http/route.ts';
import { widestOf } from '../../lib/http/tokens/scopes.ts';
import type { Json } from './schemas.ts';

/** A page asks for them in this order: first what most readers have. */
const securitySchemes: Json = {
  appId: { type: 'apiKey', in: 'header', name: 'X-App-Id', description: 'The app id of a key of the project.' },
  appToken: { type: 'apiKey', in: 'header', name: 'X-App-Token', description: 'The token that belongs to the app id.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of POST /v1/oauth/token. What an operation names beside it is the scope that opens it.',
  },
  clientId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Client-Application-Id',
    description: 'The id of a client key. Origin must be one of its origins.',
  },
  clientToken: { type: 'apiKey', in: 'header', name: 'X-Client-Token', description: 'Belongs to the id.' },
  managementId: { type: 'apiKey', in: 'header', name: 'X-Management-Id', description: 'Where keys guard the paths.' },
  managementToken: { type: 'apiKey', in: 'header', name: 'X-Management-Token', description: 'Belongs to the id.' },
  iam: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'AWS Signature Version 4 of the service execute-api, where IAM guards the paths: the default on AWS.',
  },
};

/** Each of the two scopes opens it. */
function bearerOf(route: Route): Record<string, string[]>[] {
  const wanted = scopeOf(route);
  return [{ bearer: [widestOf(wanted)] }, { bearer: [wanted] }];
}

/** Any one of the list lets a caller in. */
export function securityOf(route: Route): Record<string, string[]>[] {
  const appKey = { appId: [], appToken: [] };
  switch (route.authentication) {
    case 'server':
      return [appKey, ...bearerOf(route)];
    case 'client':
      return [{ clientId: [], clientToken: [] }, ...(route.serverKeys ? [appKey] : []), ...bearerOf(route)];
    case 'app-key':
      return [appKey];
    // The local server leaves them open unless it is started otherwise.
    case 'management':
      return [{ iam: [] }, { managementId: [], managementToken: [] }, {}];
    case 'none':
      return [];
  }
}

/** The schemes that these routes use, since a page asks for each that it finds. */
export function schemesOf(routes: readonly Route[]): Json {
  const used = new Set(routes.flatMap((route) => securityOf(route).flatMap((scheme) => Object.keys(scheme))));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
}

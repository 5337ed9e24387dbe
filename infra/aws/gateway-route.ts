import type { IRole } from 'aws-cdk-lib/aws-iam';

export type Throttle = 'public' | 'page' | 'preflight' | 'checkout';

/** A method and a path, or the one route for all that has none. */
export interface GatewayRoute {
  method: string;
  path: string;
  isDefault?: boolean;
  /** IAM guards the route. The function checks all other credentials. */
  guardedByIam?: boolean;
  /** Open to anyone: its function has a ceiling. */
  isPublic: boolean;
  /** Names the throttle of the path. A flood on one path then leaves the throttles of others alone. */
  throttle?: Throttle;
}

/** A function, the routes that lead to it, and the role in which the gateway invokes it. */
export interface GatewayTarget {
  name: string;
  /** The function, or the alias that divides its calls among two versions. */
  invokedArn: string;
  invoker: IRole;
  routes: readonly GatewayRoute[];
}

export const routeKeyOf = ({ method, path, isDefault }: GatewayRoute) => (isDefault ? '$default' : `${method} ${path}`);

/** Names what one HTTP API serves. */
export interface GatewayPart {
  /** Names the API in the stack. That of `/v1`, and an API that serves everything, is called `api`. */
  id: string;
  /** Prefixes of the paths that lead here; absent where all other paths do. */
  beginnings: readonly string[];
  targets: readonly GatewayTarget[];
}

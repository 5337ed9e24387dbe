import type { IRole } from 'aws-cdk-lib/aws-iam';

export type Throttle = 'public' | 'page' | 'preflight' | 'checkout';

/** A method and a path, or the one route for all that has none. */
export interface GatewayRoute {
  method: string;
  path: string;
  isDefault?: boolean;
  /** By IAM; what else guards a route is asked by its function. */
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

/** What one HTTP API serves. */
export interface GatewayPart {
  /** Names the API in the stack. That of `/v1`, and an API that serves everything, is called `api`. */
  id: string;
  /** How the paths begin that lead here; none where all others do. */
  beginnings: readonly string[];
  targets: readonly GatewayTarget[];
}

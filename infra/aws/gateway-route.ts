import type { IRole } from 'aws-cdk-lib/aws-iam';

export type Throttle = 'public' | 'page' | 'preflight' | 'checkout';

/** Describes a method and a path, or the default route for unknown paths. */
export interface GatewayRoute {
  method: string;
  path: string;
  isDefault?: boolean;
  /** Counts the operations that share a route. */
  operations?: number;
  /** IAM guards the route. The function checks all other credentials. */
  guardedByIam?: boolean;
  /** Anyone may call the route, so its function has a ceiling. */
  isPublic: boolean;
  /** Names the throttle of the path. A flood on one path then leaves other throttles alone. */
  throttle?: Throttle;
}

/** Describes a function, the routes that lead to it, and the role in which the gateway invokes it. */
export interface GatewayTarget {
  name: string;
  /** The function, or the alias that divides its calls between two versions. */
  invokedArn: string;
  invoker: IRole;
  routes: readonly GatewayRoute[];
}

export const formatRouteKey = ({ method, path, isDefault }: GatewayRoute) =>
  isDefault ? '$default' : `${method} ${path}`;

/** Describes what one HTTP API serves. */
export interface GatewayPart {
  /** Names the API in the stack. The API of `/v1`, and an API that serves everything, is called `api`. */
  id: string;
  /** Lists prefixes of the paths that lead here. It is absent if all other paths do. */
  beginnings: readonly string[];
  targets: readonly GatewayTarget[];
}

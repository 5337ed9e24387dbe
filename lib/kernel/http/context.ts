import type { Project } from '#kernel/access/projects/project.ts';
import type { TokenScope } from '#kernel/access/scopes.ts';
import type { Manager } from '#kernel/access/users/manager.ts';
import type { Table } from '#kernel/table/table.ts';

/** The context of a use case that reads. */
export interface Reading {
  readonly table: Table;
  readonly project: Project;
  readonly now: Date;
  /** The id of the request, which activities and entries show as their group. Work without a request has no id. */
  readonly requestId?: string;
}

/** The context of a use case with addresses of this API in its reply. */
export interface Showing extends Reading {
  /** The address of this API, without a slash at the end. */
  readonly baseUrl: string;
}

/** The caller, as identified by its credentials. */
export interface Caller {
  readonly project: Project;
  readonly appId: string;
  /** The name of the app key. */
  readonly appName: string;
  /** The scopes of a bearer token. Keys have no scopes, and open all paths of their kind. */
  readonly scopes?: readonly TokenScope[];
  /** The role of the token's user, if the token acts for a user. */
  readonly role?: string;
  /** The origin of the page that calls with a client key. */
  readonly origin?: string;
  /** The network address of a calling browser. */
  readonly address?: string;
  /** The name of the caller's software, from its header `X-Voucherify-Channel`. */
  readonly channel?: string;
  /** True if the service acts by itself, as a programme defines, without a caller. */
  readonly automatic?: true;
}

/** Returns whether a browser calls a client path, or software with a token. A server calls with an app key. */
export function isBrowser({ origin, scopes }: Pick<Caller, 'origin' | 'scopes'>): boolean {
  return origin !== undefined || scopes !== undefined;
}

/** The context of a use case that writes. */
export interface Writing extends Showing {
  readonly caller: Caller;
}

/** The context of a use case that starts work to run after the request. */
export interface Starting extends Reading {
  readonly requestId: string;
}

/** The context of a use case of the management paths. */
export interface Managing {
  readonly table: Table;
  readonly now: Date;
  readonly manager: Manager;
  readonly credentials: {
    readonly findProject: (id: string) => Promise<Project | undefined>;
    readonly forgetProject: (id: string) => void;
  };
  /** The queues and buses that webhooks may send to. Without it, webhooks may send to any target. */
  readonly eventTargets?: readonly string[] | undefined;
}

import type { Table } from '../table/table.ts';
import type { Project } from './projects/project.ts';
import type { Scope } from './tokens/scopes.ts';

/** What a use case that reads is called with. */
export interface Reading {
  readonly table: Table;
  readonly project: Project;
  readonly now: Date;
}

/** What a use case is called with whose reply has addresses of this API. */
export interface Showing extends Reading {
  /** Where this API is reached, without a slash at the end. */
  readonly baseUrl: string;
}

/** Who calls, as the credentials say. */
export interface Caller {
  readonly project: Project;
  readonly appId: string;
  /** What the app key is called. */
  readonly appName: string;
  /** What a bearer token opens; keys open all that they open at all. */
  readonly scopes?: readonly Scope[];
  /** Of the page that called with a client key. */
  readonly origin?: string;
  /** The network address of a page that calls. */
  readonly address?: string;
  /** What the caller's software calls itself, by its header `X-Voucherify-Channel`. */
  readonly channel?: string;
  /** Nobody calls: the service does by itself what a programme says. */
  readonly automatic?: true;
}

/** Returns whether a web page calls a client path, or software with a token for such paths. A server comes with an app key. */
export function isPage({ origin, scopes }: Pick<Caller, 'origin' | 'scopes'>): boolean {
  return origin !== undefined || scopes !== undefined;
}

/** What a use case that writes is called with. */
export interface Writing extends Showing {
  readonly caller: Caller;
}

/** What a use case is called with that starts work behind the request. */
export interface Starting extends Reading {
  readonly requestId: string;
}

/** Who manages, as the guard of the management paths says. */
export interface Manager {
  /** Shown to those who are invited, and in the log. */
  readonly name: string;
  /** A management key is a project's own and opens no other; who is let in without one may manage them all. */
  readonly projectId?: string;
}

/** What a use case of the management paths is called with. */
export interface Managing {
  readonly table: Table;
  readonly now: Date;
  readonly manager: Manager;
  readonly credentials: { readonly findProject: (id: string) => Promise<Project | undefined> };
}

import { type AppKey, findAppKey, isTokenAccepted } from '#kernel/access/projects/app-key.ts';
import { type ClientKey, findClientKey, isClientAccepted } from '#kernel/access/projects/client-key.ts';
import { findManagementKey, type ManagementKey } from '#kernel/access/projects/management-key.ts';
import { findProject, type Project } from '#kernel/access/projects/project.ts';
import { hashSecret } from '#kernel/access/projects/secret.ts';
import { findToken, isTokenExpired, type TokenItem } from '#kernel/access/tokens/token.ts';
import { type Account, findAccount, findRole } from '#kernel/access/users/account.ts';
import type { Table } from '#kernel/table/table.ts';

/** A container trusts its last read of a key, a token or a project for this time. */
export const cacheLifeInSeconds = 60;
/** Limits the memory of a container that serves many keys. The oldest entry is dropped first. */
const cacheSize = 1_000;

interface Entry<T> {
  value: T;
  readAt: number;
}

class TimedCache<T> {
  readonly #entries = new Map<string, Entry<T>>();

  get(id: string, now: Date): T | undefined {
    const entry = this.#entries.get(id);
    const ageInMs = now.getTime() - (entry?.readAt ?? 0);
    return entry && ageInMs >= 0 && ageInMs < cacheLifeInSeconds * 1000 ? entry.value : undefined;
  }

  /**
   * Returns the accepted value, from the cache or the table. Refusals are never cached. They cost one read whichever
   * part is wrong, and a change has effect immediately.
   */
  async getOrRead(
    id: string,
    now: Date,
    read: () => Promise<T | undefined>,
    accepts: (value: T | undefined) => boolean = (value) => value !== undefined,
  ): Promise<T | undefined> {
    const cached = this.get(id, now);
    if (accepts(cached)) return cached;
    const value = await read();
    if (!accepts(value)) return undefined;
    if (value !== undefined) this.set(id, value, now);
    return value;
  }

  set(id: string, value: T, now: Date): void {
    this.#entries.delete(id);
    this.#entries.set(id, { value, readAt: now.getTime() });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > cacheSize && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }
}

export interface PresentedClientKey {
  id: string;
  token: string;
  /** The origin of the calling web page. */
  origin: string;
}

/**
 * Selects the source of a call's credentials. A call that changes permissions must not trust the memory, because a user
 * could otherwise regain a lost role with it.
 */
export type Trust = 'memory' | 'table';

export interface AcceptedToken {
  token: TokenItem;
  /** The app key that requested the token. */
  appKey: AppKey;
  /** The role of the token's user, if the token acts for a user. */
  role?: string;
}

/** Caches keys, tokens and projects in the container, so that a warm call does not read them. */
export class CredentialCache {
  readonly #appKeys = new TimedCache<AppKey>();
  readonly #clientKeys = new TimedCache<ClientKey>();
  readonly #managementKeys = new TimedCache<ManagementKey>();
  readonly #tokens = new TimedCache<TokenItem>();
  readonly #projects = new TimedCache<Project>();
  readonly #accounts = new TimedCache<Account>();

  /** Returns the app key if id and token are right and the key is active. */
  acceptedAppKey(table: Table, appId: string, token: string, now: Date): Promise<AppKey | undefined> {
    const tokenHash = hashSecret(token);
    return this.#appKeys.getOrRead(
      appId,
      now,
      () => findAppKey(table, appId),
      (key) => isTokenAccepted(key, tokenHash, now),
    );
  }

  /**
   * Returns the client key if id and token are right and the key is active. The page must have one of its origins, or be on a trusted
   * domain of the project. A right id and token on any other page are `foreign page`.
   */
  async acceptedClientKey(
    table: Table,
    presented: PresentedClientKey,
    now: Date,
  ): Promise<ClientKey | 'foreign page' | undefined> {
    const { id, token, origin } = presented;
    const tokenHash = hashSecret(token);
    const trustedOf = async (key: ClientKey | undefined) =>
      isTokenAccepted(key, tokenHash, now) && !key.origins.includes(origin)
        ? ((await this.project(table, key.project_id, now))?.trustedDomains ?? [])
        : [];
    const cached = this.#clientKeys.get(id, now);
    if (isClientAccepted(cached, { tokenHash, origin, trusted: await trustedOf(cached) }, now)) return cached;
    const key = await findClientKey(table, id);
    if (!isClientAccepted(key, { tokenHash, origin, trusted: await trustedOf(key) }, now))
      return isTokenAccepted(key, tokenHash, now) ? 'foreign page' : undefined;
    this.#clientKeys.set(id, key, now);
    return key;
  }

  acceptedManagementKey(
    table: Table,
    { id, token, trust }: { id: string; token: string; trust: Trust },
    now: Date,
  ): Promise<ManagementKey | undefined> {
    const tokenHash = hashSecret(token);
    if (trust === 'table') this.#managementKeys.delete(id);
    return this.#managementKeys.getOrRead(
      id,
      now,
      () => findManagementKey(table, id),
      (key) => isTokenAccepted(key, tokenHash, now),
    );
  }

  /**
   * Returns the token and its app key if the token has not expired and the key is active. Refusals are never cached.
   * For any reason, they cost a read of a token and a read of a key. A token for a user costs another read, and is
   * refused if the user has no role.
   */
  async acceptedToken(table: Table, accessToken: string, now: Date): Promise<AcceptedToken | undefined> {
    const accepted = await this.#knownToken(table, accessToken, now);
    return accepted && this.#withRole(table, accepted, now);
  }

  async #knownToken(table: Table, accessToken: string, now: Date): Promise<AcceptedToken | undefined> {
    const tokenHash = hashSecret(accessToken);
    const cached = this.#tokens.get(tokenHash, now);
    const known = this.#accepted(cached, cached && this.#appKeys.get(cached.app_id, now), now);
    if (known) return known;
    const token = await findToken(table, tokenHash);
    const accepted =
      this.#accepted(token, token && this.#appKeys.get(token.app_id, now), now) ??
      this.#accepted(token, await this.#readAppKey(table, token?.app_id ?? tokenHash, now), now);
    if (accepted) this.#tokens.set(tokenHash, accepted.token, now);
    return accepted;
  }

  /** Returns whether the token has not expired and its key is active. */
  async isActive(table: Table, token: TokenItem, now: Date): Promise<boolean> {
    const { app_id } = token;
    const appKey = this.#appKeys.get(app_id, now) ?? (await this.#readAppKey(table, app_id, now));
    const accepted = this.#accepted(token, appKey, now);
    return accepted !== undefined && (await this.#withRole(table, accepted, now)) !== undefined;
  }

  /**
   * Returns the user's role in the project. A new role has effect within the life of the cache, or immediately with the
   * trust in the table.
   */
  async roleIn(
    table: Table,
    { projectId, userId, trust }: { projectId: string; userId: string; trust: Trust },
    now: Date,
  ): Promise<string | undefined> {
    if (trust === 'table') this.#accounts.delete(userId);
    const account = await this.#accounts.getOrRead(
      userId,
      now,
      () => findAccount(table, userId),
      (one) => findRole(one, projectId) !== undefined,
    );
    return findRole(account, projectId);
  }

  async #withRole(table: Table, accepted: AcceptedToken, now: Date): Promise<AcceptedToken | undefined> {
    const { user_id, project_id } = accepted.token;
    if (user_id === undefined) return accepted;
    const role = await this.roleIn(table, { projectId: project_id, userId: user_id, trust: 'memory' }, now);
    return role === undefined ? undefined : { ...accepted, role };
  }

  #accepted(token: TokenItem | undefined, appKey: AppKey | undefined, now: Date): AcceptedToken | undefined {
    if (!token || !appKey || isTokenExpired(token, now)) return undefined;
    return appKey.active && appKey.project_id === token.project_id ? { token, appKey } : undefined;
  }

  async #readAppKey(table: Table, appId: string, now: Date): Promise<AppKey | undefined> {
    const appKey = await findAppKey(table, appId);
    if (appKey?.active) this.#appKeys.set(appId, appKey, now);
    return appKey;
  }

  project(table: Table, id: string, now: Date): Promise<Project | undefined> {
    return this.#projects.getOrRead(id, now, () => findProject(table, id));
  }

  /** Lets the next call of this container read the project again, because a call has changed it. */
  forgetProject(id: string): void {
    this.#projects.delete(id);
  }

  forgetToken(accessToken: string): void {
    this.#tokens.delete(hashSecret(accessToken));
  }
}

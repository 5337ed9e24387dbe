import type { Table } from '../table/table.ts';
import { type AppKey, acceptsToken, findAppKey } from './projects/app-key.ts';
import { type ClientKey, findClientKey, opensClient } from './projects/client-key.ts';
import { findManagementKey, type ManagementKey } from './projects/management-key.ts';
import { findProject, type Project } from './projects/project.ts';
import { hashSecret } from './projects/secret.ts';
import { findToken, isExpired, type TokenItem } from './tokens/token.ts';

/** How long a container may act on what it last read of a key, a token or a project. */
export const cacheLifeInSeconds = 60;
/** Bounds the memory of a container that serves many keys; the oldest entry goes first. */
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
   * The value if it is accepted, read where it is not cached. A refusal is never cached: it costs one read whichever part was
   * wrong, and what was just changed works at once.
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
  /** Of the page that sends it. */
  origin: string;
}

export interface AcceptedToken {
  token: TokenItem;
  /** That asked for it. */
  appKey: AppKey;
}

/** Keys, tokens and projects that this container has read, so that a warm call reads none of them. */
export class CredentialCache {
  readonly #appKeys = new TimedCache<AppKey>();
  readonly #clientKeys = new TimedCache<ClientKey>();
  readonly #managementKeys = new TimedCache<ManagementKey>();
  readonly #tokens = new TimedCache<TokenItem>();
  readonly #projects = new TimedCache<Project>();

  /** The app key if id and token are right and the key is on. */
  acceptedAppKey(table: Table, appId: string, token: string, now: Date): Promise<AppKey | undefined> {
    const tokenHash = hashSecret(token);
    return this.#appKeys.getOrRead(
      appId,
      now,
      () => findAppKey(table, appId),
      (key) => acceptsToken(key, tokenHash),
    );
  }

  /** The client key if id and token are right, the key is on, and the page is one of its origins. */
  acceptedClientKey(table: Table, presented: PresentedClientKey, now: Date): Promise<ClientKey | undefined> {
    const tokenHash = hashSecret(presented.token);
    return this.#clientKeys.getOrRead(
      presented.id,
      now,
      () => findClientKey(table, presented.id),
      (key) => opensClient(key, tokenHash, presented.origin),
    );
  }

  acceptedManagementKey(table: Table, id: string, token: string, now: Date): Promise<ManagementKey | undefined> {
    const tokenHash = hashSecret(token);
    return this.#managementKeys.getOrRead(
      id,
      now,
      () => findManagementKey(table, id),
      (key) => acceptsToken(key, tokenHash),
    );
  }

  /**
   * The token and its app key, if the token has not expired and the key is on. A refusal is never cached, and costs one read of a
   * token and one of a key, whatever its reason.
   */
  async acceptedToken(table: Table, accessToken: string, now: Date): Promise<AcceptedToken | undefined> {
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

  /** Whether the token is in time and its key is on. */
  async isActive(table: Table, token: TokenItem, now: Date): Promise<boolean> {
    const { app_id } = token;
    const appKey = this.#appKeys.get(app_id, now) ?? (await this.#readAppKey(table, app_id, now));
    return this.#accepted(token, appKey, now) !== undefined;
  }

  #accepted(token: TokenItem | undefined, appKey: AppKey | undefined, now: Date): AcceptedToken | undefined {
    if (!token || !appKey || isExpired(token, now)) return undefined;
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

  forgetToken(accessToken: string): void {
    this.#tokens.delete(hashSecret(accessToken));
  }
}

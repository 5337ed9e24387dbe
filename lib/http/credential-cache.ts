import type { Table } from '../dynamodb.ts';
import { type AppKey, acceptsToken, findAppKey } from '../projects/app-key.ts';
import { findManagementKey, type ManagementKey, opensManagement } from '../projects/management-key.ts';
import { findProject, type Project } from '../projects/project.ts';
import { hashSecret } from '../projects/secret.ts';
import { findToken, isExpired, type TokenItem } from '../tokens/token.ts';

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

  /** Reads what it does not have; what is not there is asked for again each time. */
  async getOrRead(id: string, now: Date, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const cached = this.get(id, now);
    if (cached !== undefined) return cached;
    const value = await read();
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

export interface AcceptedToken {
  token: TokenItem;
  /** That asked for it. */
  appKey: AppKey;
}

/** App keys, tokens and projects that this container has read, so that a warm call reads none of them. */
export class CredentialCache {
  readonly #appKeys = new TimedCache<AppKey>();
  readonly #managementKeys = new TimedCache<ManagementKey>();
  readonly #tokens = new TimedCache<TokenItem>();
  readonly #projects = new TimedCache<Project>();

  /**
   * The app key if id and token are right and the key is on. A refusal is never taken from the cache: it costs one
   * read whichever part was wrong, and a token that was just replaced works at once.
   */
  async acceptedAppKey(table: Table, appId: string, token: string, now: Date): Promise<AppKey | undefined> {
    const tokenHash = hashSecret(token);
    const cached = this.#appKeys.get(appId, now);
    if (acceptsToken(cached, tokenHash)) return cached;
    const read = await findAppKey(table, appId);
    if (!acceptsToken(read, tokenHash)) return undefined;
    this.#appKeys.set(appId, read, now);
    return read;
  }

  /** The management key if id and token are right; a refusal costs what that of an app key does. */
  async acceptedManagementKey(table: Table, id: string, token: string, now: Date): Promise<ManagementKey | undefined> {
    const tokenHash = hashSecret(token);
    const cached = this.#managementKeys.get(id, now);
    if (opensManagement(cached, tokenHash)) return cached;
    const read = await findManagementKey(table, id);
    if (!opensManagement(read, tokenHash)) return undefined;
    this.#managementKeys.set(id, read, now);
    return read;
  }

  /**
   * The token and the key that asked for it, if the token is in time and the key is on: a key that is switched off takes its
   * tokens along. A refusal is never taken from the cache, and costs a read of a token and one of a key, whether the token
   * was never there, is over or revoked, or has lost its key.
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

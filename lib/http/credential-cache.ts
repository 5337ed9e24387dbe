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
    const cached = this.#appKeys.get(appId, now);
    if (cached && acceptsToken(cached, token)) return cached;
    const read = await findAppKey(table, appId);
    if (!acceptsToken(read, token)) return undefined;
    this.#appKeys.set(appId, read, now);
    return read;
  }

  /** The management key if id and token are right; a refusal costs what that of an app key does. */
  async acceptedManagementKey(table: Table, id: string, token: string, now: Date): Promise<ManagementKey | undefined> {
    const cached = this.#managementKeys.get(id, now);
    if (cached && opensManagement(cached, token)) return cached;
    const read = await findManagementKey(table, id);
    if (!opensManagement(read, token)) return undefined;
    this.#managementKeys.set(id, read, now);
    return read;
  }

  /** The token if it is there, in time, and of a key that is on: a key that is switched off takes its tokens along. */
  async activeToken(table: Table, accessToken: string, now: Date): Promise<TokenItem | undefined> {
    const token = await this.#tokens.getOrRead(hashSecret(accessToken), now, () => findToken(table, accessToken));
    return token && (await this.isActive(table, token, now)) ? token : undefined;
  }

  async isActive(table: Table, token: TokenItem, now: Date): Promise<boolean> {
    if (isExpired(token, now)) return false;
    const appKey = await this.appKeyOf(table, token, now);
    return appKey?.active === true && appKey.project_id === token.project_id;
  }

  /** The key that asked for the token. */
  appKeyOf(table: Table, { app_id }: TokenItem, now: Date): Promise<AppKey | undefined> {
    return this.#appKeys.getOrRead(app_id, now, () => findAppKey(table, app_id));
  }

  project(table: Table, id: string, now: Date): Promise<Project | undefined> {
    return this.#projects.getOrRead(id, now, () => findProject(table, id));
  }

  forgetToken(accessToken: string): void {
    this.#tokens.delete(hashSecret(accessToken));
  }
}

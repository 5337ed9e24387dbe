import { computed, effect, signal } from '@preact/signals';

/** Holds the credentials that sign calls, until the browser's tab is closed. */
export type Session =
  | { readonly kind: 'app'; readonly appId: string; readonly appToken: string }
  | { readonly kind: 'bearer'; readonly token: string };

const storedAs = 'tessera.session';
const ended = 'ended';

function contentOf(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
}

/** Returns the key of a local server's demo. A deployed page has no such key. */
export function findDemoKey(): Session | undefined {
  const [appId, appToken] = [contentOf('demo-app_id'), contentOf('demo-app_token')];
  return appId && appToken ? { kind: 'app', appId, appToken } : undefined;
}

function restored(): Session | undefined {
  const text = sessionStorage.getItem(storedAs);
  if (text === ended) return undefined;
  if (text === null) return findDemoKey();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const session = signal<Session | undefined>(restored());
export const isSignedIn = computed(() => session.value !== undefined);

effect(() => sessionStorage.setItem(storedAs, session.value ? JSON.stringify(session.value) : ended));

/** Returns the headers that authenticate a call. */
export function headersOf(one: Session): Record<string, string> {
  return one.kind === 'app'
    ? { 'X-App-Id': one.appId, 'X-App-Token': one.appToken }
    : { Authorization: `Bearer ${one.token}` };
}

function shownHeadersOf(one: Session): Record<string, string> {
  return one.kind === 'app'
    ? { 'X-App-Id': one.appId, 'X-App-Token': '$APP_TOKEN' }
    : { Authorization: 'Bearer $TOKEN' };
}

/** Holds a key for the paths of management, which no app key opens. */
export interface ManagementKey {
  readonly managementId: string;
  readonly managementToken: string;
}

const managementStoredAs = 'tessera.management';

function readManagementKey(): ManagementKey | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(managementStoredAs) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export const managementKey = signal<ManagementKey | undefined>(readManagementKey());

effect(() => {
  if (managementKey.value) sessionStorage.setItem(managementStoredAs, JSON.stringify(managementKey.value));
  else sessionStorage.removeItem(managementStoredAs);
});

// Signing out also removes the management key.
effect(() => {
  if (!isSignedIn.value) managementKey.value = undefined;
});

const isManagement = (url: string) => new URL(url).pathname.startsWith('/management/');

/** Returns the headers that authenticate a call of an address. */
export function headersFor(url: string): Record<string, string> {
  if (!isManagement(url)) return session.value ? headersOf(session.value) : {};
  if (!managementKey.value) return {};
  const { managementId, managementToken } = managementKey.value;
  return { 'X-Management-Id': managementId, 'X-Management-Token': managementToken };
}

/** Returns the same headers with the name of a variable in place of the secret, to be shown. */
export function shownHeadersFor(url: string): Record<string, string> {
  if (!isManagement(url)) return session.value ? shownHeadersOf(session.value) : {};
  if (!managementKey.value) return {};
  return { 'X-Management-Id': managementKey.value.managementId, 'X-Management-Token': '$MANAGEMENT_TOKEN' };
}

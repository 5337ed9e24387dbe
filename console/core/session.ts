import { computed, effect, signal } from '@preact/signals';

/** Holds what calls are signed with. It lives as long as the browser's tab. */
export type Session =
  | { readonly kind: 'app'; readonly appId: string; readonly appToken: string }
  | { readonly kind: 'bearer'; readonly token: string };

const storedAs = 'tessera.session';
const ended = 'ended';

function contentOf(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
}

/** Returns the key of a local server's demo. A deployed page has none. */
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

/** Signs a call with the app token and a token's name in place of the secret, to be shown. */
export function shownHeadersOf(one: Session): Record<string, string> {
  return one.kind === 'app'
    ? { 'X-App-Id': one.appId, 'X-App-Token': '$APP_TOKEN' }
    : { Authorization: 'Bearer $TOKEN' };
}

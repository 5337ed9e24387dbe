import { computed, signal } from '@preact/signals';
import { calls } from './api.ts';

const root = '/console';

/** Holds the address. Each state of a screen is in it. */
export const address = signal(new URL(location.href));

export const query = computed(() => address.value.searchParams);

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function show(url: URL): void {
  const isOther = url.pathname !== address.value.pathname;
  if (isOther) calls.value = [];
  if (!isOther || isCalm() || !document.startViewTransition) {
    address.value = url;
    return;
  }
  document.startViewTransition(() => {
    address.value = url;
    return new Promise((resolve) => setTimeout(resolve));
  });
}

/** Turns links and history into changes of the address, without loading the page again. */
export function watchNavigation(): void {
  navigation.addEventListener('navigate', (event) => {
    const url = new URL(event.destination.url);
    const isOurs = url.origin === location.origin && (url.pathname === root || url.pathname.startsWith(`${root}/`));
    if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || !isOurs) return;
    const isOther = url.pathname !== address.value.pathname;
    event.intercept({
      focusReset: 'manual',
      scroll: isOther ? 'after-transition' : 'manual',
      handler: async () => show(url),
    });
  });
}

export function go(path: string): void {
  navigation.navigate(path.startsWith('/') ? root + path : path);
}

/** Changes parts of the query. Undefined removes a part. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, history: 'push' | 'replace' = 'push') {
  const url = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href !== address.value.href) navigation.navigate(url.href, { history });
}

/** Returns the address of a screen, with its parts encoded. */
export function path(...parts: readonly string[]): string {
  return [root, ...parts.map(encodeURIComponent)].join('/');
}

export interface Route<Screen> {
  readonly pattern: URLPattern;
  readonly screen: Screen;
}

export function route<Screen>(pathname: string, screen: Screen): Route<Screen> {
  return { pattern: new URLPattern({ pathname: `${root}${pathname}` }), screen };
}

/** Returns the first route that fits, with its decoded parameters. */
export function matchRoute<Screen>(routes: readonly Route<Screen>[], url: URL) {
  for (const { pattern, screen } of routes) {
    const groups = pattern.exec({ pathname: url.pathname.replace(/(?<=.)\/$/, '') })?.pathname.groups;
    if (!groups) continue;
    const params = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value ?? '')] as const);
    return { screen, params: Object.fromEntries(params) };
  }
  return undefined;
}

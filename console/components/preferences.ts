import { effect, signal } from '@preact/signals';

const themeStoredAs = 'tessera.theme';
const typingStoredAs = 'tessera.typing';

export type Theme = 'system' | 'light' | 'dark';

const storedTheme = localStorage.getItem(themeStoredAs);
export const theme = signal<Theme>(storedTheme === 'light' || storedTheme === 'dark' ? storedTheme : 'system');

effect(() => {
  localStorage.setItem(themeStoredAs, theme.value);
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});

/** Sets whether a letter that is typed anywhere opens the search. Users of speech input switch it off. */
export const typingOpensSearch = signal(localStorage.getItem(typingStoredAs) !== 'off');

effect(() => localStorage.setItem(typingStoredAs, typingOpensSearch.value ? 'on' : 'off'));

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { setQuery } from '../core/router.ts';
import { words } from '../words.ts';

/** Shows an element of a list next to the list. Escape closes it. */
export function Drawer({ children }: { children: ComponentChildren }) {
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.focus();
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) setQuery({ open: undefined });
    };
    addEventListener('keydown', close);
    return () => {
      removeEventListener('keydown', close);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside class="drawer" aria-label={words.details} tabIndex={-1} ref={drawer}>
      <button type="button" class="close" aria-label={words.close} onClick={() => setQuery({ open: undefined })}>
        ×
      </button>
      {children}
    </aside>
  );
}

import type { ComponentChildren } from 'preact';
import { notice } from '../core/notice.ts';
import { address, path } from '../core/router.ts';
import { screens } from '../screens.ts';
import { words } from '../words.ts';
import { Curl } from './curl.tsx';
import { Icon } from './icons.tsx';
import { Palette } from './palette.tsx';
import { theme } from './preferences.ts';

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 18 18" aria-hidden="true">
      <path class="stone" d="M0 0h8v8H0zM10 10h8v3.2L13.2 18H10z" />
      <path class="gold" d="M10 0h8v8h-8z" />
      <path class="sea" d="M0 10h8v8H0z" />
    </svg>
  );
}

function Toast() {
  const { text, tone, undo } = notice.value ?? {};
  return (
    <div class="toasts" role="status">
      {text && (
        <p class={`toast ${tone}`}>
          {text}
          {undo && (
            <button type="button" onClick={undo}>
              {words.undo}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function Menu() {
  const here = address.value.pathname.split('/')[2] ?? '';
  const groups = Map.groupBy(screens, ({ group }) => group);
  return (
    <nav id="menu" class="menu" aria-label={words.menu} popover="auto">
      <a class="brand" href={path()}>
        <Mark />
        {words.product}
      </a>
      {[...groups].map(([group, members]) => (
        <div key={group} class="group">
          {group && <p>{group}</p>}
          {members.map(({ name, label, path: to }) => (
            <a
              key={to}
              href={path() + (to === '/' ? '' : to)}
              aria-current={here === to.slice(1) ? 'page' : undefined}
              onClick={() => document.getElementById('menu')?.hidePopover()}
            >
              <Icon of={name} />
              {label}
            </a>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** Frames every screen with the menu, the search and the bar. */
export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <Menu />
      <div class="stage">
        <header class="bar">
          <button type="button" class="burger" aria-label={words.menu} {...{ popovertarget: 'menu' }}>
            ☰
          </button>
          <button type="button" class="seek" {...{ commandfor: 'palette', command: 'show-modal' }}>
            <span>{words.palette.hint}</span>
            <kbd>Ctrl K</kbd>
          </button>
          <Curl />
          <button
            type="button"
            aria-label={words.theme.next(words.theme[theme.value], words.theme[nextTheme[theme.value]])}
            onClick={() => {
              theme.value = nextTheme[theme.value];
            }}
          >
            {words.theme[theme.value]}
          </button>
        </header>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Palette />
      <Toast />
    </div>
  );
}

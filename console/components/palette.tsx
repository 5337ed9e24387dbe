import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLoad } from '../core/load.ts';
import { go } from '../core/router.ts';
import { screens } from '../screens.ts';
import { words } from '../words.ts';
import { typingOpensSearch } from './preferences.ts';

interface Entry {
  readonly label: string;
  readonly hint: string;
  readonly path: string;
}

const leastLetters = 2;
const typingInMs = 150;

/** Loads the search with the first question, because the first screen does not need it. */
const findLazily = async (text: string) => (await import('../core/find.ts')).findAll(text);

const storedAs = 'tessera.searches';
const keptSearches = 6;

function readHistory(): readonly Entry[] {
  try {
    return JSON.parse(localStorage.getItem(storedAs) ?? '[]');
  } catch {
    return [];
  }
}

function remember(entry: Entry): void {
  const others = readHistory().filter(({ path }) => path !== entry.path);
  localStorage.setItem(storedAs, JSON.stringify([entry, ...others].slice(0, keptSearches)));
}

const beginnings: readonly [RegExp, string, string][] = [
  [/^cust_/, '/customers/', words.palette.customer],
  [/^camp_/, '/campaigns/', words.palette.campaign],
  [/^v_/, '/vouchers/', words.palette.voucher],
  [/^ord_/, '/orders?open=', words.palette.order],
  [/^r_/, '/redemptions?open=', words.palette.redemption],
  [/^val_/, '/rules?open=', words.palette.rule],
];

/** Returns what a text can mean: an id, an e-mail, a code, a screen or an action. */
function entriesFor(text: string): Entry[] {
  const wanted = text.trim();
  const matching: Entry[] = [...screens, ...words.palette.actions].flatMap(({ label, path }) =>
    label.toLowerCase().includes(wanted.toLowerCase()) ? { label, hint: words.palette.open, path } : [],
  );
  if (wanted === '') return [...readHistory(), ...matching];
  const coded = encodeURIComponent(wanted);
  const known = beginnings.find(([pattern]) => pattern.test(wanted));
  if (known) return [{ label: wanted, hint: known[2], path: known[1] + coded }, ...matching];
  const customer = { label: wanted, hint: words.palette.customer, path: `/customers?q=${coded}` };
  if (wanted.includes('@')) return [customer, ...matching];
  const voucher = { label: wanted, hint: words.palette.voucher, path: `/vouchers/${coded}` };
  const isScreen = matching.length > 0 && wanted === wanted.toLowerCase();
  return isScreen ? [...matching, voucher, customer] : [voucher, customer, ...matching];
}

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog, [contenteditable]') !== null;

/** Accepts a code, an id, an e-mail, a screen or an action. Ctrl-K opens it, and so does typing a code anywhere. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const at = useSignal(0);
  const asked = useSignal('');
  const found = useLoad(asked.value, () => (asked.value === '' ? Promise.resolve([]) : findLazily(asked.value)));
  const hits = asked.value !== '' && asked.value === text.value.trim() ? (found.data ?? []) : [];
  const paths = new Set(hits.map(({ path }) => path));
  const entries = [...hits, ...entriesFor(text.value).filter(({ path }) => !paths.has(path))];

  useEffect(() => {
    const timer = setTimeout(() => {
      const wanted = text.value.trim();
      asked.value = wanted.length < leastLetters ? '' : wanted;
    }, typingInMs);
    return () => clearTimeout(timer);
  }, [text.value]);

  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isText = /^[\p{L}\d]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isShortcut && !(isText && typingOpensSearch.value && !isTyping(event))) return;
      event.preventDefault();
      if (dialog.current?.open) return;
      text.value = isShortcut ? '' : event.key;
      at.value = 0;
      dialog.current?.showModal();
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);

  function choose(entry: Entry | undefined): void {
    if (!entry) return;
    if (text.value.trim() !== '') remember(entry);
    dialog.current?.close();
    go(entry.path);
  }

  function steer(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      at.value = (at.value + step + entries.length) % entries.length;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(entries[at.value]);
    }
  }

  return (
    <dialog id="palette" class="palette" ref={dialog} aria-label={words.search} {...{ closedby: 'any' }}>
      <input
        autofocus
        type="text"
        role="combobox"
        aria-label={words.palette.hint}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length > 0 ? `palette-${at.value}` : undefined}
        placeholder={words.palette.hint}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={steer}
      />
      <div
        id="palette-list"
        class="options"
        role="listbox"
        aria-label={words.palette.results}
        aria-busy={found.isLoading}
      >
        {entries.map((entry, index) => (
          <button
            type="button"
            tabIndex={-1}
            key={entry.path + entry.hint}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at.value}
            onClick={() => choose(entry)}
          >
            <span>{entry.label}</span>
            <small>{entry.hint}</small>
          </button>
        ))}
      </div>
    </dialog>
  );
}

import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { words } from '../words.ts';

interface DialogProps {
  readonly label: string;
  readonly title?: string;
  /** Names the button where others have the same label. */
  readonly says?: string;
  readonly isMain?: boolean;
  readonly children: (close: () => void, isOpen: boolean) => ComponentChildren;
}

/** Shows a button that opens a native dialog. */
export function DialogButton({ label, title = label, says, isMain, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={isMain ? 'main' : undefined}
        aria-label={says}
        {...{ commandfor: id, command: 'show-modal' }}
      >
        {label}
      </button>
      <dialog id={id} ref={dialog} aria-label={title} onToggle={({ newState }) => setOpen(newState === 'open')}>
        <header>
          <h2>{title}</h2>
          <button type="button" class="close" aria-label={words.close} {...{ commandfor: id, command: 'close' }}>
            ×
          </button>
        </header>
        {children(() => dialog.current?.close(), isOpen)}
      </dialog>
    </>
  );
}

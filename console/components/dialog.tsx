import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { words } from '../words.ts';

interface DialogProps {
  readonly label: string;
  readonly title?: string;
  readonly isMain?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Shows a button that opens a native dialog. */
export function DialogButton({ label, title = label, isMain, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" class={isMain ? 'main' : undefined} {...{ commandfor: id, command: 'show-modal' }}>
        {label}
      </button>
      <dialog id={id} ref={dialog} aria-label={title}>
        <header>
          <h2>{title}</h2>
          <button type="button" class="close" aria-label={words.close} {...{ commandfor: id, command: 'close' }}>
            ×
          </button>
        </header>
        {children(() => dialog.current?.close())}
      </dialog>
    </>
  );
}

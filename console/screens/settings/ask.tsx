import type { ComponentChildren } from 'preact';
import { DialogButton } from '../../components/dialog.tsx';
import { attempt } from '../../core/notice.ts';

interface AskProps {
  readonly label: string;
  /** Says to what it is done. The question has this title. */
  readonly title: string;
  /** Says what happens, and that nothing undoes it. */
  readonly question: ComponentChildren;
  readonly said: string;
  readonly act: () => Promise<unknown>;
  readonly changed: () => void;
}

/** Asks before it does something that cannot be undone. */
export function Ask({ label, title, question, said, act, changed }: AskProps) {
  const go = async (close: () => void) => {
    if (await attempt(said, act)) close();
    changed();
  };
  return (
    <DialogButton label={label} title={title} says={title}>
      {(close) => (
        <div class="fields">
          <p>{question}</p>
          <div class="actions">
            <button type="button" class="main" onClick={() => go(close)}>
              {title}
            </button>
          </div>
        </div>
      )}
    </DialogButton>
  );
}

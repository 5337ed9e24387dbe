import { signal } from '@preact/signals';
import { words } from '../words.ts';
import { Refusal } from './api.ts';

export interface Notice {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  readonly undo?: () => void;
}

export const notice = signal<Notice | undefined>(undefined);

const shownForMs = 6_000;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(one: Notice, then?: () => void): void {
  clearTimeout(timer);
  notice.value = one;
  timer = setTimeout(() => {
    notice.value = undefined;
    then?.();
  }, shownForMs);
}

export function say(text: string, undo?: () => void): void {
  show({ text, tone: 'good', ...(undo ? { undo } : {}) });
}

/** Runs an action, and shows that it is done, or why it was refused. */
export async function attempt(text: string, act: () => Promise<unknown>, undo?: () => void): Promise<boolean> {
  try {
    await act();
    say(text, undo);
    return true;
  } catch (error) {
    const { message, details, key } =
      error instanceof Refusal ? error : { message: String(error), details: '', key: words.failed };
    show({ text: details || message || key, tone: 'bad' });
    return false;
  }
}

let waiting: (() => void) | undefined;

/** Waits before it makes a permanent change, so that the user can undo it. */
export function actSoon(text: string, act: () => Promise<unknown>, done: () => void): void {
  waiting?.();
  let isUndone = false;
  const run = () => {
    waiting = undefined;
    if (!isUndone) attempt(text, act).then(done);
  };
  waiting = () => {
    clearTimeout(timer);
    run();
  };
  const undo = () => {
    isUndone = true;
    waiting = undefined;
    clearTimeout(timer);
    notice.value = undefined;
  };
  show({ text: words.soon(text), tone: 'good', undo }, run);
}

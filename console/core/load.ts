import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Refusal } from './api.ts';

export interface Loaded<T> {
  /** Holds the latest data, even while newer data are loading. */
  readonly data: T | undefined;
  readonly refusal: Refusal | undefined;
  readonly isLoading: boolean;
  /** Counts the answers, data and refusals alike. */
  readonly answers: number;
  readonly reload: () => void;
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal({
    code: 0,
    key: 'no_connection',
    message: error instanceof Error ? error.message : String(error),
  });
}

/** Loads data when `key` changes. An answer that arrives after a newer request is dropped. */
export function useLoad<T>(key: string, read: () => Promise<T>): Loaded<T> {
  const data = useSignal<T | undefined>();
  const refusal = useSignal<Refusal | undefined>(undefined);
  const isLoading = useSignal(true);
  const round = useSignal(0);
  const answers = useSignal(0);
  useEffect(() => {
    let isCurrent = true;
    isLoading.value = true;
    read().then(
      (value) => {
        if (!isCurrent) return;
        data.value = value;
        refusal.value = undefined;
        isLoading.value = false;
        answers.value += 1;
      },
      (error: unknown) => {
        if (!isCurrent) return;
        data.value = undefined;
        refusal.value = toRefusal(error);
        isLoading.value = false;
        answers.value += 1;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round.value]);
  return {
    data: data.value,
    refusal: refusal.value,
    isLoading: isLoading.value,
    answers: answers.value,
    reload: () => {
      round.value += 1;
    },
  };
}

/**
 * Reads again while something changes by itself, and calls `ended` when that ends. The time counts from the last
 * answer, because a read that starts again each second would never see a slower answer.
 */
export function useFollow(
  isOn: boolean,
  { answers, reload }: Loaded<unknown>,
  ended?: () => void,
  everyMs = 1_000,
): void {
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(reload, everyMs);
    return () => clearTimeout(timer);
  }, [isOn, answers]);
  useEffect(() => (isOn ? ended : undefined), [isOn]);
}

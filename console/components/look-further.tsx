import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count } from '../core/format.ts';
import { setQuery } from '../core/router.ts';
import { words } from '../words.ts';

interface LookFurtherProps {
  readonly after: string | undefined;
  readonly next: string | undefined;
  readonly looked: number;
  readonly found: number;
  /** Changes with each answer. */
  readonly answers: number;
}

/**
 * Searches a list part by part, because each reply covers only a part. Once the user starts it, it continues until an
 * element is found, the list ends, or the user stops it.
 */
export function LookFurther({ after, next, looked, found, answers }: LookFurtherProps) {
  const isOn = useSignal(false);
  const parts = useSignal<Readonly<Record<string, number>>>({});
  useEffect(() => {
    // The address without a cursor begins a new look.
    parts.value = { ...(after ? parts.value : {}), [after ?? '']: looked };
    if (isOn.value && found === 0 && next) setQuery({ after: next }, 'replace');
    else isOn.value = false;
  }, [answers]);
  const sum = Object.values(parts.value).reduce((all, one) => all + one, 0);
  return (
    <nav class="pages" aria-label={words.list.pages}>
      <button
        type="button"
        disabled={!after}
        onClick={() => {
          isOn.value = false;
          setQuery({ after: undefined });
        }}
      >
        {words.list.first}
      </button>
      <span role="status">{words.list.looked(count(sum))}</span>
      {isOn.value ? (
        <button
          type="button"
          onClick={() => {
            isOn.value = false;
          }}
        >
          {words.list.stop}
        </button>
      ) : (
        <button
          type="button"
          disabled={!next}
          onClick={() => {
            isOn.value = true;
            setQuery({ after: next });
          }}
        >
          {words.list.lookFurther}
        </button>
      )}
    </nav>
  );
}

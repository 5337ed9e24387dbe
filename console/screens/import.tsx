import { useSignal } from '@preact/signals';
import { DialogButton } from '../components/dialog.tsx';
import { type Choice, Field } from '../components/field.tsx';
import { upload } from '../core/api.ts';
import { attempt } from '../core/notice.ts';
import { setQuery } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.work;

const targets: readonly Choice[] = [
  ['/v1/vouchers/importCSV', words.screens.vouchers],
  ['/v1/customers/importCSV', words.screens.customers],
  ['/v1/products/importCSV', w.products],
  ['/v1/skus/importCSV', words.catalogue.skus],
];

/** Sends a CSV file, dropped or chosen, and opens the work that it starts. */
export function Import({ done }: { done: () => void }) {
  const target = useSignal(targets[0]?.[0] ?? '');
  const isOver = useSignal(false);
  const send = async (file: File | undefined, close: () => void) => {
    if (!file) return;
    const isSent = await attempt(w.sent(file.name), async () => {
      const { async_action_id: id } = await upload(target.value, file);
      setQuery({ open: id, tab: undefined });
    });
    if (isSent) close();
    done();
  };
  return (
    <DialogButton label={w.import} isMain>
      {(close) => (
        <div class="fields">
          <Field
            label={w.into}
            choices={targets}
            value={target.value}
            change={(path) => {
              target.value = path;
            }}
          />
          <label
            class={isOver.value ? 'drop over' : 'drop'}
            onDragOver={(event) => {
              event.preventDefault();
              isOver.value = true;
            }}
            onDragLeave={() => {
              isOver.value = false;
            }}
            onDrop={(event) => {
              event.preventDefault();
              isOver.value = false;
              send(event.dataTransfer?.files[0], close);
            }}
          >
            <span>{w.drop}</span>
            <input
              type="file"
              accept=".csv,text/csv"
              onChange={({ currentTarget }) => send(currentTarget.files?.[0], close)}
            />
          </label>
          <small>{w.format}</small>
        </div>
      )}
    </DialogButton>
  );
}

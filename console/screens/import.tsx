import { useSignal } from '@preact/signals';
import { DialogButton } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { type ImportPath, preview, type Schemas, upload } from '../core/api.ts';
import { count, fileAmountSample } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { wordOf } from '../core/part.ts';
import { setQuery } from '../core/router.ts';
import { words } from '../words.ts';
import { ImportPreview } from './import-preview.tsx';

const w = words.work;

const targets: readonly (readonly [path: ImportPath, label: string])[] = [
  ['/v1/vouchers/importCSV', words.screens.vouchers],
  ['/v1/customers/importCSV', words.screens.customers],
  ['/v1/products/importCSV', w.products],
  ['/v1/skus/importCSV', words.catalogue.skus],
];

const paths = targets.map(([path]) => path);

interface Read {
  readonly file: File;
  readonly preview: Schemas['ImportCustomersAcceptedPreview']['preview'];
}

/** Shows what a CSV file says, dropped or chosen. Then sends it, and opens the work that it starts. */
export function Import({ done }: { done: () => void }) {
  const target = useSignal<ImportPath>('/v1/vouchers/importCSV');
  const isOver = useSignal(false);
  const read = useSignal<Read | undefined>(undefined);
  const look = async (file: File | undefined) => {
    read.value = undefined;
    if (!file) return;
    await attempt(w.read(file.name), async () => {
      read.value = { file, ...(await preview(target.value, file)) };
    });
  };
  const send = async ({ file }: Read, close: () => void) => {
    const isSent = await attempt(w.sent(file.name), async () => {
      const { async_action_id: id } = await upload(target.value, file);
      setQuery({ open: id, tab: undefined });
    });
    if (!isSent) return;
    read.value = undefined;
    close();
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
              target.value = wordOf(paths, path) ?? target.value;
              look(read.value?.file);
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
              look(event.dataTransfer?.files[0]);
            }}
          >
            <span>{w.drop}</span>
            <input
              type="file"
              accept=".csv,text/csv"
              onChange={({ currentTarget }) => look(currentTarget.files?.[0])}
            />
          </label>
          <small>{w.format(fileAmountSample())}</small>
          {read.value ? <ImportPreview preview={read.value.preview} /> : null}
          {read.value ? <Begin read={read.value} begin={(one) => send(one, close)} /> : null}
        </div>
      )}
    </DialogButton>
  );
}

function Begin({ read, begin }: { read: Read; begin: (read: Read) => void }) {
  return (
    <button type="button" class="main" onClick={() => begin(read)}>
      {w.begin(count(read.preview.rows_count))}
    </button>
  );
}

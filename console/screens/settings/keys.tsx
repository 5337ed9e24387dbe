import { useSignal } from '@preact/signals';
import { Badge, Code, Panel, Ready } from '../../components/bits.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { type Entered, EntryForm, Field } from '../../components/field.tsx';
import { Table } from '../../components/table.tsx';
import { api, type BodyOf, dataOf, type Schemas } from '../../core/api.ts';
import { time } from '../../core/format.ts';
import { useLoad } from '../../core/load.ts';
import { attempt } from '../../core/notice.ts';
import { wordOf } from '../../core/part.ts';
import { words } from '../../words.ts';
import { Ask } from './ask.tsx';

const w = words.settings.keys;

type Key = Schemas['ProjectKey'];

const types = ['SERVER', 'CLIENT', 'MANAGEMENT'] as const;
const nameOf = ({ name, id }: Key) => name ?? id;

interface Shown {
  readonly id: string;
  readonly token: string;
}

/** Shows a token, which no other reply shows again. */
function Token({ of: { id, token } }: { of: Shown }) {
  return (
    <div class="verdict warm" role="status">
      <strong>{w.once}</strong>
      <p>
        {words.id} <Code>{id}</Code>
      </p>
      <p>
        {words.webhooks.token} <Code>{token}</Code>
      </p>
    </div>
  );
}

interface NewKeyProps {
  readonly projectId: string;
  readonly made: (key: Shown) => void;
}

function NewKey({ projectId, made }: NewKeyProps) {
  const type = useSignal<(typeof types)[number]>('SERVER');
  const send = async (get: Entered, close: () => void) => {
    const origins = get('origins').split(/\s+/).filter(Boolean);
    const body: BodyOf<'create-project-key'> = {
      ...{ type: type.value, name: get('name') },
      ...(origins.length > 0 ? { origins } : {}),
    };
    const params = { path: { projectId } };
    await attempt(w.made(get('name')), async () => {
      made(await dataOf(api.POST('/management/v1/projects/{projectId}/keys', { params, body })));
      close();
    });
  };
  return (
    <DialogButton label={w.create} isMain>
      {(close) => (
        <EntryForm submit={w.create} send={(get) => send(get, close)}>
          <Field
            label={words.kind}
            choices={types.map((one) => [one, w.types[one]] as const)}
            value={type.value}
            change={(one) => {
              type.value = wordOf(types, one) ?? type.value;
            }}
          />
          <Field name="name" label={words.name} />
          {type.value === 'CLIENT' && (
            <Field name="origins" label={w.origins} lines={3} hint={w.originsHint} isOptional />
          )}
        </EntryForm>
      )}
    </DialogButton>
  );
}

/** Lists the keys of the project, makes, rotates and ends them. */
export function Keys({ projectId }: { projectId: string }) {
  const shown = useSignal<Shown | undefined>(undefined);
  const params = { path: { projectId } };
  const loaded = useLoad(projectId, () => dataOf(api.GET('/management/v1/projects/{projectId}/keys', { params })));
  const show = (key: Shown) => {
    shown.value = key;
    loaded.reload();
  };
  const ofKey = (keyId: string) => ({ params: { path: { projectId, keyId } } });
  const rotate = async ({ id }: Key) => {
    const path = '/management/v1/projects/{projectId}/keys/{keyId}/rotate';
    show(await dataOf(api.POST(path, { ...ofKey(id), body: {} })));
  };
  const end = ({ id }: Key) => dataOf(api.DELETE('/management/v1/projects/{projectId}/keys/{keyId}', ofKey(id)));
  return (
    <Panel title={w.title} actions={<NewKey projectId={projectId} made={show} />}>
      {shown.value && <Token of={shown.value} />}
      <Ready of={loaded}>
        {({ data }) => (
          <Table<Key>
            rows={data}
            idOf={({ id }) => id}
            columns={[
              { title: words.name, cell: nameOf },
              { title: words.kind, cell: ({ type }) => w.types[type] },
              { title: words.id, isExtra: true, cell: ({ id }) => <code>{id}</code> },
              {
                title: words.state,
                cell: ({ active, older_token_valid_until: until }) => (
                  <>
                    <Badge tone={active ? 'good' : 'quiet'}>{active ? words.on : w.ended}</Badge>
                    {until && <small> {w.older(time(until))}</small>}
                  </>
                ),
              },
              { title: w.madeBy, isExtra: true, cell: ({ made_by: by, login }) => by?.login ?? login ?? '–' },
              {
                title: words.change,
                isNumber: true,
                cell: (key) =>
                  key.active && (
                    <span class="actions">
                      <Ask
                        label={w.rotateIt}
                        title={w.rotate(nameOf(key))}
                        question={w.rotates}
                        said={w.rotated}
                        act={() => rotate(key)}
                        changed={loaded.reload}
                      />
                      <Ask
                        label={w.endIt}
                        title={w.end(nameOf(key))}
                        question={w.ends}
                        said={w.endedNow}
                        act={() => end(key)}
                        changed={loaded.reload}
                      />
                    </span>
                  ),
              },
            ]}
          />
        )}
      </Ready>
    </Panel>
  );
}

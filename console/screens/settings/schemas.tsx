import { Empty, Panel, Ready } from '../../components/bits.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { type Choice, type Entered, EntryForm, Field } from '../../components/field.tsx';
import { Table } from '../../components/table.tsx';
import { api, type BodyOf, dataOf } from '../../core/api.ts';
import { human } from '../../core/format.ts';
import { useLoad } from '../../core/load.ts';
import { attempt } from '../../core/notice.ts';
import { wordOf } from '../../core/part.ts';
import { words } from '../../words.ts';

const w = words.settings.schemas;

const types = ['string', 'number', 'boolean', 'date', 'datetime'] as const;
const typeChoices = types.map((one): Choice => [one, w.types[one]]);
const objects = ['campaign', 'voucher', 'customer', 'order', 'product', 'redemption', 'publication'] as const;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, { readonly type: string; readonly optional?: boolean }>>;
}

const typeNames: Readonly<Record<string, string>> = w.types;

const sayProperties = ({ properties }: Row) =>
  Object.entries(properties)
    .map(
      ([name, { type, optional }]) => `${name}: ${typeNames[type] ?? type}${optional === false ? ` (${w.must})` : ''}`,
    )
    .join(', ') || '–';

const Rows = ({ rows, none }: { rows: readonly Row[]; none: string }) =>
  rows.length === 0 ? (
    <Empty title={none} />
  ) : (
    <Table
      rows={rows}
      idOf={({ id }) => id}
      columns={[
        { title: words.name, cell: ({ name }) => human(name) },
        { title: w.properties, cell: sayProperties },
      ]}
    />
  );

interface AddProps {
  readonly label: string;
  readonly of: { readonly label: string; readonly choices?: readonly Choice[]; readonly hint?: string };
  readonly send: (
    of: string,
    property: string,
    definition: { type: (typeof types)[number]; optional: boolean },
  ) => Promise<unknown>;
  readonly changed: () => void;
}

/** Adds a property to a definition, and makes the definition with its first property. */
function AddProperty({ label, of, send, changed }: AddProps) {
  const add = async (get: Entered, close: () => void) => {
    const definition = { type: wordOf(types, get('type')) ?? 'string', optional: get('must') !== 'must' };
    if (await attempt(w.added(get('property')), () => send(get('of'), get('property'), definition))) close();
    changed();
  };
  return (
    <DialogButton label={label}>
      {(close) => (
        <EntryForm submit={label} send={(get) => add(get, close)}>
          <Field name="of" {...of} />
          <Field name="property" label={w.property} />
          <Field name="type" label={words.kind} choices={typeChoices} />
          <Field
            name="must"
            label={w.needed}
            choices={[
              ['may', w.may],
              ['must', w.must],
            ]}
          />
        </EntryForm>
      )}
    </DialogButton>
  );
}

/** Shows the definitions of metadata and of custom events. */
export function SchemasTab({ projectId }: { projectId: string }) {
  const params = { path: { projectId } };
  const metadata = useLoad(projectId, async () => {
    const { data } = await dataOf(api.GET('/management/v1/projects/{projectId}/metadata-schemas', { params }));
    return data.map((one): Row => ({ id: one.id, name: one.related_object, properties: one.properties }));
  });
  const events = useLoad(projectId, async () => {
    const { data } = await dataOf(api.GET('/management/v1/projects/{projectId}/custom-event-schemas', { params }));
    return data.map((one): Row => ({ id: one.id, name: one.name, properties: one.schema.properties }));
  });
  const sendMetadata: AddProps['send'] = (object, property, definition) => {
    const known = metadata.data?.find(({ name }) => name === object);
    if (!known) {
      const body: BodyOf<'create-metadata-schema'> = { related_object: object, properties: { [property]: definition } };
      return dataOf(api.POST('/management/v1/projects/{projectId}/metadata-schemas', { params, body }));
    }
    const body: BodyOf<'update-metadata-schema'> = { properties: { [property]: definition } };
    const path = '/management/v1/projects/{projectId}/metadata-schemas/{metadataSchemaId}';
    return dataOf(api.PUT(path, { params: { path: { projectId, metadataSchemaId: known.id } }, body }));
  };
  const sendEvent: AddProps['send'] = (name, property, definition) => {
    const known = events.data?.find((one) => one.name === name);
    const body: BodyOf<'create-event-schema'> = { name, schema: { properties: { [property]: definition } } };
    if (!known) return dataOf(api.POST('/management/v1/projects/{projectId}/custom-event-schemas', { params, body }));
    const path = '/management/v1/projects/{projectId}/custom-event-schemas/{schemaId}';
    const { schema } = body;
    return dataOf(api.PUT(path, { params: { path: { projectId, schemaId: known.id } }, body: { schema } }));
  };
  return (
    <div class="columns">
      <Panel
        title={w.metadata}
        actions={
          <AddProperty
            label={w.add}
            of={{ label: w.object, choices: objects.map((one): Choice => [one, human(one)]) }}
            send={sendMetadata}
            changed={metadata.reload}
          />
        }
      >
        <Ready of={metadata}>{(rows) => <Rows rows={rows} none={w.noMetadata} />}</Ready>
      </Panel>
      <Panel
        title={w.events}
        actions={
          <AddProperty
            label={w.addEvent}
            of={{ label: w.event, hint: w.eventHint }}
            send={sendEvent}
            changed={events.reload}
          />
        }
      >
        <Ready of={events}>{(rows) => <Rows rows={rows} none={w.noEvents} />}</Ready>
      </Panel>
    </div>
  );
}

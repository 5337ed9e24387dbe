import { Panel, Ready } from '../../components/bits.tsx';
import { type FieldOf, Form } from '../../components/form.tsx';
import { api, dataOf, type Schemas } from '../../core/api.ts';
import { useLoad } from '../../core/load.ts';
import { attempt } from '../../core/notice.ts';
import { words } from '../../words.ts';

const w = words.settings;

const fields: readonly FieldOf<'create-brand'>[] = [
  'brand.name',
  'brand.website_url',
  'brand.permission_reminder',
  'address.street',
  'address.postal',
  'address.city',
  'address.country',
  'contact.email',
  'contact.phone',
  'cockpits.theme',
];

/** Shows the brand as customers read it at the foot of a page or a mail. */
function Preview({ of: { brand, address, contact, cockpits } }: { of: Schemas['BrandConfiguration'] }) {
  return (
    <section class={`brandcard ${cockpits.theme}`} aria-label={w.brand.preview}>
      <b>{brand.name}</b>
      <p>{brand.permission_reminder}</p>
      <small>{[address.street, `${address.postal} ${address.city}`, address.country].join(' · ')}</small>
      <small>{[contact.email, contact.phone, brand.website_url].filter(Boolean).join(' · ')}</small>
    </section>
  );
}

export function Brand({ projectId }: { projectId: string }) {
  const project = { path: { projectId } };
  const loaded = useLoad(projectId, async () => {
    const path = '/management/v1/projects/{projectId}/branding';
    const { data } = await dataOf(api.GET(path, { params: project }));
    return { own: data[0] };
  });
  const saved = async (act: () => Promise<unknown>) => {
    await attempt(w.saved, act);
    loaded.reload();
  };
  return (
    <Panel title={w.tabs.brand}>
      <Ready of={loaded}>
        {({ own }) => (
          <div class="columns">
            {own ? (
              <Form
                key={JSON.stringify(own)}
                of="update-brand"
                fields={fields}
                initial={own}
                submit={words.save}
                send={(body) => {
                  const params = { path: { projectId, brandingId: own.id } };
                  const path = '/management/v1/projects/{projectId}/branding/{brandingId}';
                  return saved(() => dataOf(api.PUT(path, { params, body })));
                }}
              />
            ) : (
              <Form
                of="create-brand"
                fields={fields}
                submit={words.save}
                send={(body) =>
                  saved(() =>
                    dataOf(api.POST('/management/v1/projects/{projectId}/branding', { params: project, body })),
                  )
                }
              />
            )}
            {own && <Preview of={own} />}
          </div>
        )}
      </Ready>
    </Panel>
  );
}

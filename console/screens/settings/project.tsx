import { Facts, Panel, Ready } from '../../components/bits.tsx';
import { type Entered, EntryForm, Field } from '../../components/field.tsx';
import { type FieldOf, Form } from '../../components/form.tsx';
import { api, type BodyOf, dataOf } from '../../core/api.ts';
import { readUnits, units } from '../../core/currency.ts';
import { useLoad } from '../../core/load.ts';
import { attempt } from '../../core/notice.ts';
import { words } from '../../words.ts';

const w = words.settings;

const fields: readonly FieldOf<'update-project'>[] = [
  'name',
  'description',
  'timezone',
  'week_starts_on',
  'currency',
  'orders_carry_effects',
  'default_code_config.length',
  'default_code_config.prefix',
  'default_code_config.pattern',
];

const switches = [
  'client_redeem_enabled',
  'client_publish_enabled',
  'client_list_vouchers_enabled',
  'client_create_customer_enabled',
  'client_loyalty_events_enabled',
] as const;

function useProject(projectId: string) {
  const params = { path: { projectId } };
  const loaded = useLoad(projectId, () => dataOf(api.GET('/management/v1/projects/{projectId}', { params })));
  const put = (body: BodyOf<'update-project'>) =>
    dataOf(api.PUT('/management/v1/projects/{projectId}', { params, body }));
  return { loaded, put };
}

/** Changes the time zone, the currency and the form of new codes. */
export function Project({ projectId }: { projectId: string }) {
  const { loaded, put } = useProject(projectId);
  return (
    <Panel title={w.tabs.project}>
      <Ready of={loaded}>
        {(project) => (
          <div class="narrow">
            <Facts rows={[[words.id, project.id]]} />
            <Form
              key={JSON.stringify(project)}
              of="update-project"
              fields={fields}
              initial={project}
              submit={words.save}
              send={async (body) => {
                await attempt(w.saved, () => put(body));
                // Amounts and days of all screens follow the project.
                units.value = await readUnits();
                loaded.reload();
              }}
            />
          </div>
        )}
      </Ready>
    </Panel>
  );
}

/** Says what pages may do, each by its switch, and which pages these are. */
export function Pages({ projectId }: { projectId: string }) {
  const { loaded, put } = useProject(projectId);
  const change = async (said: string, body: BodyOf<'update-project'>, before: BodyOf<'update-project'>) => {
    await attempt(
      said,
      () => put(body),
      () => attempt(words.undone, () => put(before)).then(loaded.reload),
    );
    loaded.reload();
  };
  const setDomains = (get: Entered, before: readonly string[]) =>
    change(
      w.saved,
      { client_trusted_domains: get('domains').split(/\s+/).filter(Boolean) },
      { client_trusted_domains: [...before] },
    );
  return (
    <Panel title={w.tabs.pages}>
      <p>{w.pages.sub}</p>
      <Ready of={loaded}>
        {(project) => (
          <div class="narrow stack">
            {switches.map((name) => (
              <label key={name} class="inline">
                <input
                  type="checkbox"
                  checked={project[name] ?? false}
                  onChange={({ currentTarget: { checked } }) =>
                    change(checked ? words.switchedOn : words.switchedOff, { [name]: checked }, { [name]: !checked })
                  }
                />
                {w.pages.switches[name]}
              </label>
            ))}
            <EntryForm submit={words.save} send={(get) => setDomains(get, project.client_trusted_domains ?? [])}>
              <Field
                name="domains"
                label={w.pages.domains}
                lines={4}
                hint={w.pages.domainsHint}
                initial={project.client_trusted_domains?.join('\n')}
                isOptional
              />
            </EntryForm>
          </div>
        )}
      </Ready>
    </Panel>
  );
}

import type { ComponentChildren } from 'preact';
import { useLoad } from '../core/load.ts';
import { findManaged } from '../core/management.ts';
import { query, setQuery } from '../core/router.ts';
import { managementKey } from '../core/session.ts';
import { words } from '../words.ts';
import { Page, Panel, Ready } from './bits.tsx';
import { type Entered, EntryForm, Field, listChoices } from './field.tsx';

const w = words.management;

function EnterKey({ wasRefused }: { wasRefused: boolean }) {
  const enter = (get: Entered) => {
    managementKey.value = { managementId: get('id'), managementToken: get('token') };
  };
  return (
    <Panel title={w.title}>
      <p>{w.hint}</p>
      <div class="narrow">
        <EntryForm submit={words.signIn.enter} send={enter} fault={wasRefused ? w.refused : undefined}>
          <Field name="id" label={w.id} initial={managementKey.value?.managementId} />
          <Field name="token" label={w.token} type="password" />
        </EntryForm>
      </div>
      <small>{w.iam}</small>
    </Panel>
  );
}

interface ManagedProps {
  readonly title: string;
  /** Stands above the question for a key or a project. */
  readonly above?: ComponentChildren;
  readonly children: (project: { readonly id: string; readonly name: string }) => ComponentChildren;
}

/** Shows a screen of management. Requests a key if the server needs it, and a project if several fit. */
export function Managed({ title, above, children }: ManagedProps) {
  const key = managementKey.value;
  const loaded = useLoad(`${key?.managementId}\n${key?.managementToken}\n${query.value.get('project')}`, findManaged);
  const { status } = loaded.refusal ?? {};
  if (status === 401 || status === 403) {
    return (
      <Page title={title}>
        {above}
        <EnterKey wasRefused={key !== undefined} />
      </Page>
    );
  }
  return (
    <Ready of={loaded}>
      {({ project, projects }) =>
        project ? (
          children(project)
        ) : (
          <Page title={title}>
            {above}
            <div class="narrow">
              <Field
                label={w.project}
                choices={[['', ''], ...listChoices(projects)]}
                value=""
                change={(id) => setQuery({ project: id })}
              />
            </div>
          </Page>
        )
      }
    </Ready>
  );
}

import type { ComponentChildren } from 'preact';
import { useLoad } from '../core/load.ts';
import { findManaged } from '../core/management.ts';
import { query, setQuery } from '../core/router.ts';
import { managementKey } from '../core/session.ts';
import { words } from '../words.ts';
import { Page, Panel, Ready } from './bits.tsx';

const w = words.management;

function EnterKey({ wasRefused }: { wasRefused: boolean }) {
  const enter = (event: SubmitEvent) => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    const get = (name: string) => String(entries.get(name) ?? '').trim();
    managementKey.value = { managementId: get('id'), managementToken: get('token') };
  };
  return (
    <Panel title={w.title}>
      <p>{w.hint}</p>
      {wasRefused && (
        <p class="fault" role="alert">
          {w.refused}
        </p>
      )}
      <form class="fields narrow" onSubmit={enter}>
        <label class="field">
          {w.id}
          <input name="id" required autocomplete="off" defaultValue={managementKey.value?.managementId} />
        </label>
        <label class="field">
          {w.token}
          <input name="token" type="password" required autocomplete="off" />
        </label>
        <div class="actions">
          <button type="submit" class="main">
            {words.signIn.enter}
          </button>
        </div>
      </form>
      <small>{w.iam}</small>
    </Panel>
  );
}

interface ManagedProps {
  readonly title: string;
  readonly children: (project: { readonly id: string; readonly name: string }) => ComponentChildren;
}

/** Shows a screen of management. Asks for a key if the server wants one, and for a project if several fit. */
export function Managed({ title, children }: ManagedProps) {
  const key = managementKey.value;
  const loaded = useLoad(`${key?.managementId}\n${key?.managementToken}\n${query.value.get('project')}`, findManaged);
  const { status } = loaded.refusal ?? {};
  if (status === 401 || status === 403) {
    return (
      <Page title={title}>
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
            <label class="field narrow">
              {w.project}
              <select value="" onChange={({ currentTarget }) => setQuery({ project: currentTarget.value })}>
                <option value="" />
                {projects.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </Page>
        )
      }
    </Ready>
  );
}

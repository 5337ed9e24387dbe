import { Panel, Ready } from '../../components/bits.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { type Choice, type Entered, EntryForm, Field } from '../../components/field.tsx';
import { Table } from '../../components/table.tsx';
import { api, type BodyOf, dataOf, type Schemas } from '../../core/api.ts';
import { useLoad } from '../../core/load.ts';
import { attempt } from '../../core/notice.ts';
import { words } from '../../words.ts';
import { Ask } from './ask.tsx';

const w = words.settings.people;

type User = Schemas['User'];

const roles = ['ADMIN', 'USER', 'VIEWER', 'MERCHANT'] as const;
const roleChoices = (own?: string): Choice[] => [
  ...(own && !roles.some((role) => role === own) ? [[own, own] as const] : []),
  ...roles.map((role): Choice => [role, w.roles[role]]),
];

const nameOf = ({ first_name: first, last_name: last, login }: User) => `${first} ${last}`.trim() || login;

function Invite({ projectId }: { projectId: string }) {
  const send = async (get: Entered, close: () => void) => {
    const body: BodyOf<'invite-user'> = {
      ...{ email: get('email'), first_name: get('first'), last_name: get('last') },
      projects: { [projectId]: get('role') },
    };
    const act = () => dataOf(api.POST('/management/v1/projects/users/invite', { body }));
    if (await attempt(w.invited(get('email')), act)) close();
  };
  return (
    <DialogButton label={w.invite} isMain>
      {(close) => (
        <EntryForm submit={w.invite} send={(get) => send(get, close)}>
          <Field name="email" label={words.customers.email} />
          <Field name="first" label={w.first} />
          <Field name="last" label={w.last} />
          <Field name="role" label={w.role} choices={roleChoices()} hint={w.roleHint} initial="VIEWER" />
        </EntryForm>
      )}
    </DialogButton>
  );
}

/** Lists the users of the project, with roles that can be changed. */
export function People({ projectId }: { projectId: string }) {
  const project = { path: { projectId } };
  const loaded = useLoad(projectId, () =>
    dataOf(api.GET('/management/v1/projects/{projectId}/users', { params: project })),
  );
  const setRole = async (user: User, role: string) => {
    const params = { path: { projectId, userId: user.id } };
    const put = (to: string) =>
      dataOf(api.PUT('/management/v1/projects/{projectId}/users/{userId}', { params, body: { role: to } }));
    const before = user.projects[projectId] ?? '';
    await attempt(
      w.changed(nameOf(user)),
      () => put(role),
      () => attempt(words.undone, () => put(before)).then(loaded.reload),
    );
    loaded.reload();
  };
  const remove = (user: User) => {
    const params = { path: { projectId, userId: user.id } };
    return dataOf(api.DELETE('/management/v1/projects/{projectId}/users/{userId}', { params }));
  };
  return (
    <Panel title={w.title} actions={<Invite projectId={projectId} />}>
      <Ready of={loaded}>
        {({ data }) => (
          <Table<User>
            rows={data}
            idOf={({ id }) => id}
            columns={[
              { title: words.name, cell: nameOf },
              { title: words.customers.email, isExtra: true, cell: ({ email }) => email },
              {
                title: w.role,
                cell: (user) => (
                  <select
                    aria-label={w.roleOf(nameOf(user))}
                    value={user.projects[projectId]}
                    onChange={({ currentTarget }) => setRole(user, currentTarget.value)}
                  >
                    {roleChoices(user.projects[projectId]).map(([role, label]) => (
                      <option key={role} value={role}>
                        {label}
                      </option>
                    ))}
                  </select>
                ),
              },
              {
                title: words.change,
                isNumber: true,
                cell: (user) => (
                  <Ask
                    label={w.remove}
                    title={words.remove(nameOf(user))}
                    question={w.removes}
                    said={w.removed(nameOf(user))}
                    act={() => remove(user)}
                    changed={loaded.reload}
                  />
                ),
              },
            ]}
          />
        )}
      </Ready>
    </Panel>
  );
}

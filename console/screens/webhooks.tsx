import { Badge, Switch } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { Managed } from '../components/managed.tsx';
import { api, dataOf } from '../core/api.ts';
import { ago, count, date } from '../core/format.ts';
import { go, path, query } from '../core/router.ts';
import { type Health, readHealth, readWebhooks, type Webhook } from '../core/webhooks.ts';
import { words } from '../words.ts';
import { SecretButton } from './webhook-secret.tsx';

const w = words.webhooks;

export function HealthBadge({ of: { asked, failed, waiting } }: { of: Health }) {
  if (asked === 0) return <Badge>{w.quiet}</Badge>;
  if (failed > 0) return <Badge tone="bad">{w.failed(count(failed), count(asked))}</Badge>;
  if (waiting > 0) return <Badge tone="warm">{w.waiting(count(waiting))}</Badge>;
  return <Badge tone="good">{w.arrived(count(asked))}</Badge>;
}

function pathOf(id: string): string {
  const project = query.value.get('project');
  return `${path('webhooks', id)}${project ? `?project=${encodeURIComponent(project)}` : ''}`;
}

function NewWebhook({ projectId }: { projectId: string }) {
  return (
    <DialogButton label={w.create} isMain>
      {(close) => (
        <Form
          of="create-webhook"
          fields={['target_url', 'events']}
          submit={words.create}
          send={async (body) => {
            const params = { path: { projectId } };
            const made = await dataOf(api.POST('/management/v1/projects/{projectId}/webhooks', { params, body }));
            close();
            go(pathOf(made.id).replace(path(), ''));
          }}
        />
      )}
    </DialogButton>
  );
}

type Row = Webhook & { readonly health: Health };

/** Shows the webhooks of the project, and whether their newest deliveries arrived. */
export function Webhooks() {
  return (
    <Managed title={words.screens.webhooks}>
      {({ id: projectId, name }) => (
        <List<Row>
          title={words.screens.webhooks}
          sub={name}
          actions={
            <>
              <SecretButton projectId={projectId} />
              <NewWebhook projectId={projectId} />
            </>
          }
          empty={w.empty}
          idOf={({ id }) => id}
          load={async ({ page, limit }) => {
            const all = await readWebhooks(projectId);
            const shown = all.slice((page - 1) * limit, page * limit);
            const healths = await Promise.all(shown.map(({ id }) => readHealth({ projectId, webhookId: id })));
            const rows = shown.flatMap((one, index) => {
              const health = healths[index];
              return health ? [{ ...one, health }] : [];
            });
            return { rows, total: all.length };
          }}
          columns={[
            {
              title: w.target,
              cell: ({ id, target_url: target }) => (
                <a class="row" href={pathOf(id)}>
                  {target}
                </a>
              ),
            },
            { title: w.events, isNumber: true, isExtra: true, cell: ({ events }) => count(events.length) },
            { title: w.health, cell: ({ health }) => <HealthBadge of={health} /> },
            { title: w.last, isExtra: true, cell: ({ health }) => ago(health.last?.created_at) },
            { title: words.state, cell: ({ active }) => <Switch active={active} /> },
            { title: words.created, isExtra: true, cell: (one) => date(one.created_at) },
          ]}
        />
      )}
    </Managed>
  );
}

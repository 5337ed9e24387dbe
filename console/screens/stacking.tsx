import { Badge, Page, Ready } from '../components/bits.tsx';
import { Managed } from '../components/managed.tsx';
import { api, dataOf } from '../core/api.ts';
import { count } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';
import { clearDraft, type Rules, readDraft } from './stacking-draft.ts';
import { ExampleGlance, StackingExample } from './stacking-example.tsx';
import { StackingFields } from './stacking-fields.tsx';

const w = words.stacking;
const one = '/management/v1/projects/{projectId}/stacking-rules/{stackingRulesId}';
const all = '/management/v1/projects/{projectId}/stacking-rules';

/** Reads the one document of a project. A project without rules has the defaults. */
async function readRules(projectId: string): Promise<Rules> {
  const { data } = await dataOf(api.GET(all, { params: { path: { projectId } } }));
  const [rules] = data;
  if (!rules) throw new Error(w.noRules);
  return rules;
}

/** Saves changes. A project without rules gets them. */
function save(projectId: string, id: string | undefined, changes: Partial<Rules>): Promise<Rules> {
  return dataOf(
    id === undefined
      ? api.POST(all, { params: { path: { projectId } }, body: changes })
      : api.PUT(one, { params: { path: { projectId, stackingRulesId: id } }, body: changes }),
  );
}

/** Undoes a saved draft: the earlier values return, or the defaults of a project that had no rules. */
function restore(projectId: string, before: Rules, saved: Rules, draft: Partial<Rules>): Promise<unknown> {
  const id = saved.id ?? '';
  if (before.id === undefined) return dataOf(api.DELETE(one, { params: { path: { projectId, stackingRulesId: id } } }));
  const changed = Object.entries(before).filter(([name]) => Object.hasOwn(draft, name));
  return save(projectId, id, Object.fromEntries(changed));
}

function Stacking({ projectId }: { projectId: string }) {
  const loaded = useLoad(projectId, () => readRules(projectId));
  const categories = useLoad('', () => dataOf(api.GET('/v1/categories', { params: { query: { limit: 50 } } })));
  const draft = readDraft();
  const changes = Object.keys(draft).length;
  const sendDraft = async (before: Rules) => {
    let saved = before;
    const isDone = await attempt(
      w.saved,
      async () => {
        saved = await save(projectId, before.id, draft);
      },
      () => attempt(words.undone, () => restore(projectId, before, saved, draft)).then(loaded.reload),
    );
    if (!isDone) return;
    clearDraft();
    loaded.reload();
  };
  return (
    <Page
      title={words.screens.stacking}
      sub={w.sub}
      actions={
        changes > 0 && (
          <>
            <Badge tone="warm">{w.changes(count(changes))}</Badge>
            <button type="button" onClick={clearDraft}>
              {w.discard}
            </button>
            <button type="button" class="main" onClick={() => loaded.data && sendDraft(loaded.data)}>
              {words.save}
            </button>
          </>
        )
      }
    >
      <Ready of={loaded}>
        {(saved) => (
          <Ready of={categories}>
            {({ data }) => {
              const rules = { ...saved, ...draft };
              return (
                <>
                  <div class="columns">
                    <div class="stack">
                      <StackingFields saved={saved} rules={rules} categories={data} />
                    </div>
                    <div class="stack follow">
                      <StackingExample rules={rules} categories={data} />
                    </div>
                  </div>
                  <ExampleGlance rules={rules} categories={data} />
                </>
              );
            }}
          </Ready>
        )}
      </Ready>
    </Page>
  );
}

/** Shows which redeemables an order combines, with an example that recalculates while the rules change. */
export function StackingRules() {
  return <Managed title={words.screens.stacking}>{({ id }) => <Stacking projectId={id} />}</Managed>;
}

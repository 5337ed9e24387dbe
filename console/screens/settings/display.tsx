import { Facts, Panel } from '../../components/bits.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { type Theme, theme, typingOpensSearch } from '../../components/preferences.ts';
import { api, dataOf } from '../../core/api.ts';
import { chosenCurrency, units } from '../../core/currency.ts';
import { money } from '../../core/format.ts';
import { useLoad } from '../../core/load.ts';
import { session } from '../../core/session.ts';
import { words } from '../../words.ts';

const w = words.settings;
const themes: readonly Theme[] = ['system', 'light', 'dark'];
const sample = 123_450;

/** Asks one cheap question of each family of screens, so that a key shows what it may do. */
const probes = [
  [words.screens.vouchers, () => api.GET('/v1/vouchers', { params: { query: { limit: 1 } } })],
  [words.screens.campaigns, () => api.GET('/v1/campaigns', { params: { query: { limit: 1 } } })],
  [words.screens.customers, () => api.GET('/v1/customers', { params: { query: { limit: 1 } } })],
  [words.screens.redemptions, () => api.GET('/v1/redemptions', { params: { query: { limit: 1 } } })],
  [words.screens.orders, () => api.GET('/v1/orders', { params: { query: { limit: 1 } } })],
  [words.screens.work, () => api.GET('/v1/async-actions', { params: { query: { limit: 1 } } })],
  [words.screens.closes, () => api.GET('/v1/reports/closes', { params: { query: { limit: 1 } } })],
  [words.categories, () => api.GET('/v1/categories', { params: { query: { limit: 1 } } })],
] as const;

function Key() {
  const one = session.value;
  const rights = useLoad(JSON.stringify(one), () =>
    Promise.all(probes.map(async ([label, ask]) => [label, (await ask()).response.status !== 403] as const)),
  );
  return (
    <Panel
      title={w.key}
      actions={
        <button
          type="button"
          onClick={() => {
            session.value = undefined;
          }}
        >
          {w.signOut}
        </button>
      }
    >
      <Facts
        rows={[
          [w.kind, one?.kind === 'app' ? w.appKey : w.bearer],
          one?.kind === 'app' && [words.signIn.appId, one.appId],
          [w.address, location.origin],
          [
            w.may,
            rights.data
              ?.filter(([, may]) => may)
              .map(([label]) => label)
              .join(', '),
          ],
          [
            w.mayNot,
            rights.data
              ?.filter(([, may]) => !may)
              .map(([label]) => label)
              .join(', '),
          ],
        ]}
      />
      <p>
        <a href="/docs">{w.docs}</a>
      </p>
    </Panel>
  );
}

function Categories() {
  const loaded = useLoad('', () => dataOf(api.GET('/v1/categories', { params: { query: { limit: 50 } } })));
  return (
    <Panel
      title={words.categories}
      actions={
        <DialogButton label={w.addCategory}>
          {(close) => (
            <Form
              of="create-category"
              fields={['name', 'hierarchy']}
              start={{ hierarchy: (loaded.data?.data.length ?? 0) + 1 }}
              submit={w.addCategory}
              send={(body) => dataOf(api.POST('/v1/categories', { body }))}
              done={() => {
                close();
                loaded.reload();
              }}
            />
          )}
        </DialogButton>
      }
    >
      <small>{w.categoryHint}</small>
      <Facts
        rows={(loaded.data?.data ?? []).map(({ name, hierarchy }) => [name, w.rank(String(hierarchy))] as const)}
      />
    </Panel>
  );
}

/** Shows the currency of the project. If the project has none, an operator chooses a currency for this browser. */
function Currency() {
  const code = units.value?.currency;
  const shown = w.sample(money(sample));
  if (code) {
    return (
      <>
        <Facts rows={[[w.currency, w.ofProject(code)]]} />
        <small>{shown}</small>
      </>
    );
  }
  return (
    <Field
      label={w.currency}
      hint={shown}
      placeholder={w.currencyHint}
      max={3}
      value={chosenCurrency.value}
      change={(text) => {
        chosenCurrency.value = text.trim().toUpperCase();
      }}
    />
  );
}

/** Shows the key of this browser, how it shows things, and the categories. */
export function Display() {
  return (
    <div class="columns">
      <Key />
      <Panel title={w.display}>
        <Currency />
        <Field
          label={w.theme}
          choices={themes.map((one) => [one, words.theme[one]])}
          value={theme.value}
          change={(name) => {
            theme.value = themes.find((one) => one === name) ?? 'system';
          }}
        />
        <label class="inline">
          <input
            type="checkbox"
            checked={typingOpensSearch.value}
            onChange={({ currentTarget }) => {
              typingOpensSearch.value = currentTarget.checked;
            }}
          />
          {w.typing}
        </label>
      </Panel>
      <Categories />
    </div>
  );
}

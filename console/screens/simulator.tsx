import type { TargetedSubmitEvent } from 'preact';
import { Empty, Page, Panel, Ready } from '../components/bits.tsx';
import { CartEditor } from '../components/cart.tsx';
import { Outcomes, Totals } from '../components/outcomes.tsx';
import { type Person, PersonField } from '../components/person.tsx';
import { api, dataOf } from '../core/api.ts';
import { money } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { readName } from '../core/people.ts';
import { query, setQuery } from '../core/router.ts';
import { words } from '../words.ts';
import { listIn, readRequest, setCodes } from './simulator-request.ts';
import { Till } from './simulator-till.tsx';

/** Chooses the customer of the cart. An unknown customer buys as a guest with a source id. */
function CartCustomer() {
  const asked = query.value.get('customer')?.trim() ?? '';
  const isStored = asked.startsWith('cust_');
  const { data: name = asked } = useLoad(asked, () => (isStored ? readName(asked) : Promise.resolve(asked)));
  const known: Person = isStored ? { id: asked, name } : { source_id: asked };
  return (
    <PersonField
      label={words.simulator.customer}
      chosen={asked === '' ? undefined : known}
      choose={(person) => setQuery({ customer: person && ('id' in person ? person.id : person.source_id) })}
      ofUnknown={words.simulator.asGuest}
    />
  );
}

function Codes() {
  const codes = listIn('codes');
  const add = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const code = String(new FormData(form).get('code')).trim();
    if (code && !codes.includes(code)) setCodes([...codes, code]);
    form.reset();
  };
  return (
    <Panel title={words.simulator.codes}>
      {codes.length > 0 && (
        <ul class="chips">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
              <button
                type="button"
                class="close"
                aria-label={words.remove(code)}
                onClick={() => setCodes(codes.filter((one) => one !== code))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <form class="inline" onSubmit={add}>
        <input
          name="code"
          autocomplete="off"
          aria-label={words.simulator.addCode}
          placeholder={words.simulator.addCode}
        />
        <button type="submit">{words.add}</button>
      </form>
      <CartCustomer />
    </Panel>
  );
}

/** Lists what else the customer could use on this cart. */
function Others() {
  const { redeemables, ...cart } = readRequest();
  const used = redeemables.map(({ id }) => id);
  const loaded = useLoad(JSON.stringify(cart), () =>
    dataOf(api.POST('/v1/qualifications', { body: { ...cart, options: { limit: 20, expand: ['redeemable'] } } })),
  );
  return (
    <Panel title={words.simulator.others}>
      <Ready of={loaded}>
        {({ redeemables: { data } }) => {
          const others = data.filter(({ id, object }) => !used.includes(id) && object !== 'campaign');
          if (others.length === 0) return <Empty title={words.simulator.noOthers} />;
          return (
            <ul class="movable">
              {others.map((one) => (
                <li key={one.id}>
                  <span class="grow">
                    <b>{one.name ?? one.id}</b> <small>{one.campaign_name ?? ''}</small>
                  </span>
                  {Boolean(one.order?.total_applied_discount_amount) && (
                    <span>−{money(one.order?.total_applied_discount_amount)}</span>
                  )}
                  <button
                    type="button"
                    aria-label={words.simulator.use(one.id)}
                    onClick={() => setCodes([...used, one.id])}
                  >
                    {words.add}
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Ready>
    </Panel>
  );
}

function Result() {
  const request = readRequest();
  const loaded = useLoad(JSON.stringify(request), () =>
    dataOf(
      api.POST('/v1/validations', {
        body: { ...request, options: { expand: ['redeemable', 'category', 'validation_rules'] } },
      }),
    ),
  );
  return (
    <Panel title={words.simulator.result}>
      <Ready of={loaded}>
        {(validation) => (
          <>
            <div class={validation.valid ? 'verdict' : 'verdict no'}>
              <strong>{validation.valid ? words.simulator.allApply : words.simulator.refused}</strong>
            </div>
            <Outcomes of={validation.redeemables} />
            {validation.order && <Totals order={validation.order} />}
            <Till validation={validation} changed={loaded.reload} />
          </>
        )}
      </Ready>
    </Panel>
  );
}

/** Tries codes on a cart, and explains each step of the outcome. */
export function Simulator() {
  const isReady = listIn('codes').length > 0;
  return (
    <Page title={words.screens.simulator} sub={words.simulator.sub}>
      <div class="columns">
        <div class="stack">
          <CartEditor />
          <Codes />
          <Others />
        </div>
        <div class="stack">
          {isReady ? (
            <Result />
          ) : (
            <Panel title={words.simulator.result}>
              <Empty title={words.simulator.empty[0]} hint={words.simulator.empty[1]} />
            </Panel>
          )}
        </div>
      </div>
    </Page>
  );
}

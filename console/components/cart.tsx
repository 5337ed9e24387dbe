import { api, dataOf, type Schemas } from '../core/api.ts';
import { money } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { query, setQuery } from '../core/router.ts';
import { words } from '../words.ts';
import { Empty, Panel, Ready } from './bits.tsx';

export interface CartItem {
  readonly product_id: string;
  readonly quantity: number;
}

/** Reads a cart from the address, such as `prod_beans*2,prod_filter*1`. */
export function itemsIn(text: string): CartItem[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part) => {
      const [id = '', quantity = '1'] = part.split('*');
      return { product_id: decodeURIComponent(id), quantity: Number(quantity) || 1 };
    });
}

function setItems(items: readonly CartItem[]): void {
  setQuery({ items: items.map(({ product_id: id, quantity }) => `${encodeURIComponent(id)}*${quantity}`).join(',') });
}

function Line({
  item,
  product,
  change,
}: {
  item: CartItem;
  product: Schemas['Product'] | undefined;
  change: (quantity: number) => void;
}) {
  const name = product?.name ?? item.product_id;
  return (
    <li>
      <span>
        {name} <small>{money(product?.price)}</small>
      </span>
      <input
        type="number"
        min={1}
        max={9999}
        aria-label={words.simulator.quantityOf(name)}
        value={item.quantity}
        onChange={({ currentTarget }) => change(Math.max(1, Number(currentTarget.value) || 1))}
      />
      <button type="button" class="close" aria-label={words.remove(name)} onClick={() => change(0)}>
        ×
      </button>
    </li>
  );
}

/** Fills a cart with products of the catalogue. The address holds the cart. */
export function CartEditor() {
  const items = itemsIn(query.value.get('items') ?? '');
  const loaded = useLoad('', () => dataOf(api.GET('/v1/products', { params: { query: { limit: 100 } } })));
  return (
    <Panel title={words.simulator.cart}>
      <Ready of={loaded}>
        {({ products }) => {
          const known = products;
          const productOf = (id: string) => known.find((one) => one.id === id || one.source_id === id);
          const total = items.reduce((sum, one) => sum + (productOf(one.product_id)?.price ?? 0) * one.quantity, 0);
          const change = (id: string, quantity: number) =>
            setItems(
              items.flatMap((one) => (one.product_id === id ? (quantity ? [{ ...one, quantity }] : []) : [one])),
            );
          return (
            <>
              {items.length === 0 ? (
                <Empty title={words.simulator.noItems} />
              ) : (
                <ul class="cart">
                  {items.map((item) => (
                    <Line
                      key={item.product_id}
                      item={item}
                      product={productOf(item.product_id)}
                      change={(quantity) => change(item.product_id, quantity)}
                    />
                  ))}
                </ul>
              )}
              <div class="inline">
                <select
                  aria-label={words.simulator.addProduct}
                  value=""
                  onChange={({ currentTarget }) => {
                    const id = currentTarget.value;
                    currentTarget.value = '';
                    if (id && !items.some((one) => one.product_id === id))
                      setItems([...items, { product_id: id, quantity: 1 }]);
                  }}
                >
                  <option value="">{words.simulator.addProduct}</option>
                  {known.map(({ id, name, source_id: own, price }) => (
                    <option key={id} value={id}>
                      {`${name ?? own ?? id} · ${money(price)}`}
                    </option>
                  ))}
                </select>
                <b>{words.simulator.worth(money(total))}</b>
              </div>
            </>
          );
        }}
      </Ready>
    </Panel>
  );
}

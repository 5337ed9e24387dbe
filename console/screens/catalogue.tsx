import { Code, Facts, Metadata, Page, Panel, Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { type FieldOf, Form } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { count, date, money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { path, setQuery } from '../core/router.ts';
import { words } from '../words.ts';

const fields: readonly FieldOf<'create-product'>[] = ['name', 'source_id', 'price', 'attributes', 'metadata'];

function ProductView({ id }: { id: string }) {
  const params = { path: { productId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/products/{productId}', { params })));
  const skus = useLoad(id, () => dataOf(api.GET('/v1/products/{productId}/skus', { params })));
  return (
    <Ready of={loaded}>
      {(product) => (
        <Page
          title={product.name ?? product.source_id ?? id}
          sub={money(product.price)}
          actions={<a href={`${path('simulator')}?items=${encodeURIComponent(id)}*1`}>{words.vouchers.tryOnCart}</a>}
        >
          <Panel title={words.catalogue.skus}>
            <Ready of={skus}>
              {({ skus: data }) =>
                data.length === 0 ? (
                  <small>{words.catalogue.noSkus}</small>
                ) : (
                  <Table
                    rows={data}
                    idOf={(one) => one.id}
                    columns={[
                      { title: words.name, cell: ({ sku, source_id: own, id: skuId }) => sku ?? own ?? skuId },
                      { title: words.price, isNumber: true, cell: ({ price }) => money(price) },
                    ]}
                  />
                )
              }
            </Ready>
          </Panel>
          <Facts
            rows={[
              [words.sourceId, product.source_id],
              [words.created, time(product.created_at)],
              [words.id, <Code key="id">{product.id}</Code>],
            ]}
          />
          <Metadata of={product.metadata} />
        </Page>
      )}
    </Ready>
  );
}

export function Catalogue() {
  return (
    <List<Schemas['Product'], 'created_at'>
      title={words.screens.catalogue}
      empty={words.catalogue.empty}
      idOf={({ id }) => id}
      detail={(id) => <ProductView id={id} />}
      actions={
        <DialogButton label={words.catalogue.create} isMain>
          {(close) => (
            <Form
              of="create-product"
              fields={fields}
              submit={words.create}
              send={async (body) => {
                const { id } = await dataOf(api.POST('/v1/products', { body }));
                close();
                setQuery({ open: id });
              }}
            />
          )}
        </DialogButton>
      }
      load={async ({ limit, page, order }) => {
        const query: QueryOf<'list-products'> = { limit, page, order };
        const { products, total, has_more: hasMore } = await dataOf(api.GET('/v1/products', { params: { query } }));
        return { rows: products, total, hasMore };
      }}
      columns={[
        { title: words.name, cell: ({ name, source_id: own, id }) => name ?? own ?? id },
        { title: words.sourceId, isExtra: true, cell: (one) => one.source_id ?? '–' },
        { title: words.price, isNumber: true, cell: ({ price }) => money(price) },
        { title: words.catalogue.skus, isNumber: true, isExtra: true, cell: ({ skus }) => count(skus?.total ?? 0) },
        { title: words.created, order: 'created_at', isExtra: true, cell: (one) => date(one.created_at) },
      ]}
    />
  );
}

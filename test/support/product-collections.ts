import { handler as create } from '../../functions/product-collections/create-product-collection.ts';
import { handler as listProducts } from '../../functions/product-collections/list-collection-products.ts';
import { caller } from './call.ts';
import { loadProject, type TestProject } from './project.ts';

export const filterOf = (field: string, conditions: object, junction = 'and') => ({
  junction,
  [field]: { conditions },
});

/** Makes an `AUTO_UPDATE` collection. */
export const dynamic = (filter: object, name = 'Found') => ({ type: 'AUTO_UPDATE', name, filter });

const products = ['a', 'b', 'c', 'd'].map((name, index) => ({
  id: `prod_${name}`,
  source_id: name,
  name,
  price: (index + 1) * 10,
  created_at: `2026-01-0${index + 1}T00:00:00.000Z`,
  metadata: { shelf: index % 2 },
}));
const skus = ['a', 'a', 'c'].map((name, index) => ({
  id: `sku_${index}`,
  source_id: `s${index}`,
  product_id: `prod_${name}`,
  price: 30,
}));
/** Loads four products for collections. Some have SKUs. */
export const shop = () => loadProject({ products, skus });

export const asks = ({ credentials: headers }: TestProject) => ({
  create: async (body: object) => caller(create)({ headers, body }),
  products: async (productCollectionId: string, query = '') =>
    (await caller(listProducts)({ headers, params: { productCollectionId }, query })).body,
  at: (productCollectionId: string) => ({ headers, params: { productCollectionId } }),
});

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { findProject } from '#kernel/access/projects/project.ts';
import { notFound } from '#kernel/core/errors.ts';
import { inProjectTime } from '#kernel/core/local-time.ts';
import { Table } from '#kernel/table/table.ts';
import { commerceCart } from './cart-body.ts';
import { cartDiscounts, discountCart, discountsQuery } from './discount-cart.ts';
import { loyaltyOfCart, loyaltyQuery, showLoyaltyOfCart } from './loyalty-of-cart.ts';

interface Shop {
  readonly dynamodb: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly projectId: string;
}

/** Answers carts without HTTP, for shops whose own server speaks UCP or ACP. Carts are checked. A wrong cart throws a `ValiError`. */
export function openCommerce({ dynamodb, tableName, projectId }: Shop) {
  const call = async (time: Date) => {
    const table = new Table(dynamodb, tableName, time);
    const project = await findProject(table, projectId);
    if (!project) throw notFound('project', projectId);
    // Only requests over HTTP have a log line that counts validations.
    return { table, project, now: inProjectTime(time, project), note: () => undefined };
  };
  return {
    discounts: async (cart: unknown, options: v.InferInput<typeof discountsQuery>, time: Date) => {
      const [body, query] = [v.parse(commerceCart, cart), v.parse(discountsQuery, options)];
      return v.parse(cartDiscounts, await discountCart(await call(time), body, query));
    },
    loyalty: async (cart: unknown, options: v.InferInput<typeof loyaltyQuery>, time: Date) => {
      const [body, query] = [v.parse(commerceCart, cart), v.parse(loyaltyQuery, options)];
      return v.parse(loyaltyOfCart, await showLoyaltyOfCart(await call(time), body, query));
    },
  };
}

"""Writes ten kinds of things with the generated client, reads them back, and prints a value of each."""

import json
import os

from client import Client
from client.api.campaigns import create_campaign, get_campaign
from client.api.categories import create_category, get_category
from client.api.customers import create_customer, get_customer
from client.api.orders import create_order, get_order
from client.api.products import create_product, get_product
from client.api.rewards import create_reward, get_reward
from client.api.segments import create_segment, get_segment
from client.api.skus import create_sku, get_sku
from client.api.validation_rules import create_validation_rule, get_validation_rule
from client.api.vouchers import create_voucher, get_voucher
from client.models import (
    CreateCampaignRequest,
    CreateCategoryRequest,
    CreateCustomerRequest,
    CreateOrderRequest,
    CreateProductRequest,
    CreateRewardRequest,
    CreateSegmentRequestStatic,
    CreateSkuRequest,
    CreateValidationRuleRequest,
    CreateVoucherRequest,
    Error,
)

service = Client(
    base_url=os.environ["BASE_URL"],
    headers={"X-App-Id": os.environ["APP_ID"], "X-App-Token": os.environ["APP_TOKEN"]},
)


def sent(operation, *path, **fields):
    """Returns the parsed body of a success, and raises what the service refused."""
    parsed = operation.sync(*path, client=service, **fields)
    if parsed is None or isinstance(parsed, Error):
        raise RuntimeError(f"{operation.__name__}: {parsed}")
    return parsed


def made(operation, model, fields, *path):
    return sent(operation, *path, body=model.from_dict(fields))


customer = made(create_customer, CreateCustomerRequest, {"source_id": "py-1", "name": "Parsed Customer"})
campaign = made(
    create_campaign,
    CreateCampaignRequest,
    {
        "name": "Parsed campaign",
        "voucher": {"type": "DISCOUNT_VOUCHER", "discount": {"type": "PERCENT", "percent_off": 25}},
    },
)
voucher = made(
    create_voucher,
    CreateVoucherRequest,
    {"code": "PARSED-GIFT", "type": "GIFT_VOUCHER", "gift": {"amount": 3500}},
)
product = made(create_product, CreateProductRequest, {"source_id": "py-tea", "name": "Parsed tea", "price": 800})
sku = made(create_sku, CreateSkuRequest, {"source_id": "py-tea-100", "sku": "Parsed tin", "price": 950}, product.id)
order = made(
    create_order,
    CreateOrderRequest,
    {"source_id": "py-order", "customer": {"id": customer.id}, "items": [{"sku_id": sku.id, "quantity": 4}]},
)
rule = made(
    create_validation_rule,
    CreateValidationRuleRequest,
    {
        "name": "Parsed rule",
        "rules": {"1": {"name": "order.amount", "conditions": {"$more_than": [1000]}}, "logic": "1"},
    },
)
reward = made(
    create_reward,
    CreateRewardRequest,
    {"name": "Parsed reward", "type": "COIN", "parameters": {"coin": {"exchange_ratio": 1, "points_ratio": 10}}},
)
segment = made(
    create_segment,
    CreateSegmentRequestStatic,
    {"name": "Parsed segment", "type": "static", "customers": [customer.id]},
)
category = made(create_category, CreateCategoryRequest, {"name": "Parsed category", "hierarchy": 4})

print(
    json.dumps(
        {
            "customer": sent(get_customer, customer.id).name,
            "campaign": sent(get_campaign, campaign.id).voucher.discount.percent_off,
            "voucher": sent(get_voucher, voucher.code).gift.amount,
            "product": sent(get_product, product.id).price,
            "sku": sent(get_sku, sku.id).price,
            "order": sent(get_order, order.id).amount,
            "rule": sent(get_validation_rule, rule.id).name,
            "reward": sent(get_reward, reward.id).type_,
            "segment": sent(get_segment, segment.id).name,
            "category": sent(get_category, category.id).hierarchy,
        }
    )
)

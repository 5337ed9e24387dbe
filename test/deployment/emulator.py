"""Starts the emulator after changes that no template can make. Each ends the start when the emulator no longer needs it."""

import inspect
import socket
import sys

from ministack.app import main
from ministack.services import dynamodb, lambda_svc
from ministack.services.cloudformation import _stacks, provisioners


def expect_gap(function, missing, gap):
    if missing in inspect.getsource(function):
        sys.exit(f"the emulator has closed a gap, so {__file__} must no longer change it: {gap}")


insert = dynamodb._partiql_insert
update = provisioners._update_resource
call = lambda_svc._execute_function

expect_gap(insert, "_emit_stream_event", "an INSERT of PartiQL does not reach the stream")
expect_gap(lambda_svc._poll_dynamodb_streams, "shardId", "an event of the stream names no shard")
expect_gap(
    provisioners._cfn_nested_stack_deploy, "old_attrs", "an update of a nested stack forgets what unchanged resources return"
)


def insert_into_stream(table, parsed):
    reply = insert(table, parsed)
    if reply[0] == 200:
        item = parsed["item"]
        dynamodb._emit_stream_event(table["TableName"], "INSERT", None, item["M"] if set(item) == {"M"} else item)
    return reply


def call_with_shard(function, event, *others, **named):
    # A stream of the emulator has one shard. Lambda names the shard if the event source has a window.
    records = event.get("Records") if isinstance(event, dict) else None
    if records and records[0].get("eventSource") == "aws:dynamodb":
        event = {**event, "shardId": "shardId-00000000000000000000-00000000"}
    return call(function, event, *others, **named)


def update_with_attributes(kind, physical_id, old_props, new_props, stack_name, logical_id=None, old_attrs=None):
    if old_attrs is None:
        resources = (_stacks.get(stack_name) or {}).get("_resources", {})
        old_attrs = resources.get(logical_id, {}).get("Attributes")
    return update(kind, physical_id, old_props, new_props, stack_name, logical_id, old_attrs)


resolve = socket.getaddrinfo


def resolve_loopback(host, *others, **named):
    # RFC 6761: names below localhost are this machine. Not every resolver knows it.
    if isinstance(host, str) and host.endswith(".localhost"):
        host = "127.0.0.1"
    return resolve(host, *others, **named)


socket.getaddrinfo = resolve_loopback
dynamodb._partiql_insert = insert_into_stream
lambda_svc._execute_function = call_with_shard
provisioners._update_resource = update_with_attributes
sys.argv = ["ministack"]
main()

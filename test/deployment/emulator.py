"""Starts the emulator after one change that no template can make: an INSERT of PartiQL reaches the table's stream."""

import sys

from ministack.app import main
from ministack.services import dynamodb

insert = dynamodb._partiql_insert
emit = dynamodb._emit_stream_event

if emit.__name__ in insert.__code__.co_names:
    sys.exit("the emulator's PartiQL inserts reach the stream by now: remove this program and start ministack itself")


def insert_into_stream(table, parsed):
    reply = insert(table, parsed)
    if reply[0] == 200:
        item = parsed["item"]
        emit(table["TableName"], "INSERT", None, item["M"] if set(item) == {"M"} else item)
    return reply


dynamodb._partiql_insert = insert_into_stream
sys.argv = ["ministack"]
main()

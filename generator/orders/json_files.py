"""A whole system as JSON, and the schema that such a file keeps to."""

from __future__ import annotations

import msgspec

from generator.layout.targets import RecordsTarget
from generator.orders.job import File, Job
from generator.orders.records import SystemRecord, record_of

SCHEMA = "system.schema.json"
"""The name of the schema's file, which lies beside the data."""


def system_json(record: SystemRecord) -> bytes:
    """Return the data, which name their schema."""
    shape = {"$schema": SCHEMA, **msgspec.to_builtins(record)}
    return msgspec.json.format(msgspec.json.encode(shape), indent=2) + b"\n"


def schema_json() -> bytes:
    """Return the JSON Schema, draft 2020-12, of what `system_json` writes."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(SystemRecord)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


def json_files(job: Job, target: RecordsTarget) -> list[File]:
    """Make the data of a product, and their schema beside them."""
    del target
    parts = {"system.json": system_json(record_of(job)), SCHEMA: schema_json()}
    return [File(f"{job.stem}/{name}", content) for name, content in parts.items()]

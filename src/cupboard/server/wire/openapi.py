"""What Litestar cannot guess of our structs for the OpenAPI schema: words cross the wire as an array."""

from __future__ import annotations

from typing import Any

from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin

from cupboard.core.words import Words


class WordsSchema(OpenAPISchemaPlugin):
    """Describes Words as the array [key, values], as docs/wire.md says."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Whether this plugin describes the type: it is for Words alone."""
        return value is Words

    def to_openapi_schema(self, field_definition: Any, schema_creator: Any) -> Schema:
        """The schema of Words. That values may be Words in their turn is not spelled out."""
        return Schema(
            type=OpenAPIType.ARRAY,
            title="Words",
            description="A key of GET /api/words/{language}, and what to fill in.",
            prefix_items=[Schema(type=OpenAPIType.STRING), Schema(type=[OpenAPIType.OBJECT, OpenAPIType.ARRAY])],
            min_items=1,
            max_items=2,
        )

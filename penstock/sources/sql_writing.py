"""Tables into a database, in one transaction: whoever reads sees the rows before or the rows after."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.errors import DataError, examples
from penstock.sources.sql import engine_of, failed, url_of

if TYPE_CHECKING:
    import pyarrow as pa


def write_sql(place: str, table: str, schema: pa.Schema, chunks: Iterable[pa.Table], base: Path) -> None:
    """Replace the rows of a table with these columns; it is made where there is none. `place`: `env:NAME`, or a URL."""
    from sqlalchemy import Column, MetaData, Table, delete, insert, inspect
    from sqlalchemy.exc import SQLAlchemyError

    url = url_of(place)
    engine = engine_of(url, base, place, must_exist=False)
    in_schema, _, name = table.rpartition(".")
    columns = [Column(field.name, _type(field.type)) for field in schema]
    target = Table(name, MetaData(), *columns, schema=in_schema or None)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")  # its driver would make the table before any transaction
            there = inspect(connection)
            if there.has_table(name, schema=in_schema or None):
                _require_same([column["name"] for column in there.get_columns(name, schema=in_schema or None)], target)
                connection.execute(delete(target))
            else:
                target.create(connection)
            for part in chunks:
                if part.num_rows:
                    connection.execute(insert(target), part.to_pylist())
            connection.commit()
    except SQLAlchemyError as error:
        raise failed(error, url, place, f"table {table}") from None
    finally:
        engine.dispose()


def _require_same(there: list[str], target: Any) -> None:
    wanted = [column.name for column in target.columns]
    if sorted(there) != sorted(wanted):
        raise DataError(
            "PEN515",
            f"the table is there already and holds other columns ({examples(there)}) than are to be written "
            f"({examples(wanted)})",
            where=f"table '{target.name}'",
            remedy="name another table, or drop this one if its rows are not needed",
        )


def _type(kind: pa.DataType) -> Any:
    from pyarrow import types
    from sqlalchemy import BigInteger, Boolean, DateTime, Double, Text

    if types.is_boolean(kind):
        return Boolean()
    if types.is_integer(kind):
        return BigInteger()
    if types.is_floating(kind):
        return Double()
    if types.is_timestamp(kind):
        return DateTime(timezone=kind.tz is not None)
    return Text()

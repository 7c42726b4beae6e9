"""What is asked for: the tables of the paper, or the table of a group; each knows its tables and its command line."""

from __future__ import annotations

from dataclasses import dataclass

from pdobasis.question.text import resolve_group
from pdobasis.question.truncating import at_most, truncation_of
from pdobasis_tables.concrete import (
    Progress,
    Question,
    counts_table,
    elements_table,
    split,
)
from pdobasis_tables.generators import all_orders_tables
from pdobasis_tables.paper import paper_tables
from pdobasis_tables.table import Table

DEFAULT_ORDER = 2


@dataclass(frozen=True, slots=True)
class Paper:
    """The five tables of the plane, in T_k and U_k."""

    convention: str = "pdobasis"

    def tables(self, progress: Progress) -> dict[str, Table]:
        """File stem to table."""
        progress("comparing with the direct solver")
        found = paper_tables(self.convention)
        if self.convention != "paper":
            return found
        # so that the tables of both conventions may lie in one folder
        return {f"{key}-paper": table for key, table in found.items()}

    def words(self) -> list[str]:
        out = ["table", "--paper"]
        if self.convention == "paper":
            out += ["--convention", "paper"]
        return out


@dataclass(frozen=True, slots=True)
class AllOrders:
    """Generators of all orders for C_N and D_N, with symbolic N."""

    def tables(self, progress: Progress) -> dict[str, Table]:
        progress("comparing with Molien's count")
        return all_orders_tables()

    def words(self) -> list[str]:
        return ["table", "--all-orders"]


@dataclass(frozen=True, slots=True)
class Concrete:
    """The table of one group, or its counts; None is the default of the command line."""

    group: str
    dim: int | None = None
    order: int | None = None
    irreps: str | None = None
    limit: int | None = None
    counts: bool = False
    max_offset: int | None = None
    max_angular: int | None = None
    max_laplacian_power: int | None = None
    max_elements: int = 10_000
    max_unknowns: int = 5_000_000

    def tables(self, progress: Progress) -> dict[str, Table]:
        question = self._question()
        if self.counts:
            return {"": counts_table(question)}
        return {"": elements_table(question, progress)}

    def words(self) -> list[str]:
        options = {
            "--group": self.group,
            "--dim": self.dim,
            "--order": self.order,
            "--irreps": self.irreps,
            "--limit": self.limit,
            "--max-offset": self.max_offset,
            "--max-angular": self.max_angular,
            "--max-laplacian-power": self.max_laplacian_power,
        }
        out = ["table"]
        for flag, value in options.items():
            if value is not None:
                out += [flag, str(value)]
        if self.counts:
            out.append("--counts")
        return out

    def _question(self) -> Question:
        group = resolve_group(self.group, self.dim, self.max_elements)
        specs: tuple[str, ...] = ()
        if self.irreps is not None:
            specs = split(self.irreps)
        order = DEFAULT_ORDER if self.order is None else self.order
        truncation = truncation_of(
            group,
            order,
            max_offset=self.max_offset,
            basis_filter=at_most(self.max_angular, self.max_laplacian_power),
        )
        return Question(group, specs, order, self.limit, self.max_unknowns, truncation)

"""What kind of model a method is: the fields of the card that goes with each registered version."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

AsMembers = Literal["as its members"]


@dataclass(frozen=True, kw_only=True)
class Card:
    """Words on a model, which change no fit and are no part of its fingerprint.

    `form` is parametric where the number of parameters does not grow with the rows. `view`: generative models say how
    rows come about, discriminative ones only how the answer hangs on the columns; a clusterer or reducer without a
    distribution is neither. `answer` is probabilistic where the method itself gives a distribution, not a step after
    it. `shape` is that of the answer or border over the prepared columns. `capacity` names the parameters that
    decide how much it can bend. `memory` is what it takes to fit and keep, `time` what it takes to fit, with n rows,
    d columns and K classes or clusters, other letters being said.
    """

    form: Literal["parametric", "non-parametric"] | AsMembers
    view: Literal["generative", "discriminative", "neither"] | AsMembers
    answer: Literal["deterministic", "probabilistic", "by its loss"] | AsMembers
    shape: Literal["linear", "non-linear", "by its kernel"] | AsMembers
    memory: str
    time: str
    capacity: tuple[str, ...] = ()

    def facts(self, *, supervised: bool) -> dict[str, Any]:
        """As JSON, with whether it learns from a target."""
        return {
            "learning": "supervised" if supervised else "unsupervised",
            **asdict(self),
            "capacity": list(self.capacity),
        }


AS_MEMBERS = Card(
    form="as its members",
    view="as its members",
    answer="as its members",
    shape="as its members",
    capacity=("members",),
    memory="the sum of its members'",
    time="the sum of its members'",
)

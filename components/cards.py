"""What kind of model a method is: the fields of the card that goes with each registered version."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

AsMembers = Literal["as its members"]


@dataclass(frozen=True, kw_only=True)
class Card:
    """What kind of model a method is: words that change no fit and are no part of its fingerprint.

    Parameters
    ----------
    form : {"parametric", "non-parametric", "as its members"}
        Parametric where the number of parameters does not grow with the rows.
    view : {"generative", "discriminative", "neither", "as its members"}
        Generative models describe how rows come about, discriminative ones only how the target depends on the columns;
        a clusterer or reducer without a distribution is neither.
    output : {"deterministic", "probabilistic", "by its loss", "as its members"}
        Probabilistic where the method itself gives a distribution, not a step after it.
    shape : {"linear", "non-linear", "by its kernel", "as its members"}
        Shape of the prediction or boundary over the prepared columns.
    memory : str
        What it takes to fit and keep, with n rows, d columns and K classes or clusters, other letters being explained.
    time : str
        What it takes to fit, in the same letters.
    capacity : tuple of str, default=()
        The parameters that decide how much it can bend.

    Examples
    --------
    >>> from penstock.components.cards import Card
    >>> card = Card(
    ...     form="parametric", view="discriminative", output="deterministic", shape="linear", memory="d", time="n d^2"
    ... )
    >>> card.facts(supervised=True)["supervision"]
    'supervised'
    """

    form: Literal["parametric", "non-parametric"] | AsMembers
    view: Literal["generative", "discriminative", "neither"] | AsMembers
    output: Literal["deterministic", "probabilistic", "by its loss"] | AsMembers
    shape: Literal["linear", "non-linear", "by its kernel"] | AsMembers
    memory: str
    time: str
    capacity: tuple[str, ...] = ()

    def facts(self, *, supervised: bool) -> dict[str, Any]:
        """As JSON, with whether it learns from a target."""
        return {
            "supervision": "supervised" if supervised else "unsupervised",
            **asdict(self),
            "capacity": list(self.capacity),
        }


AS_MEMBERS = Card(
    form="as its members",
    view="as its members",
    output="as its members",
    shape="as its members",
    capacity=("members",),
    memory="the sum of its members'",
    time="the sum of its members'",
)

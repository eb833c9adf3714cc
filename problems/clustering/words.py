"""What the report says of a clustering."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.document.formats import sentence
from penstock.document.run import RunDocument
from penstock.problems.clustering.captions import CAPTIONS, PLACES
from penstock.problems.clustering.sections import Clusters, Scalings, Structure, Truth
from penstock.problems.words import Advice, Tracked, Words, with_interval

SHAKY = 0.6  # Hennig's rule of thumb for the Jaccard index of a cluster


class ClusteringWords(Words):
    """How many groups there are, and whether they are there, hang on the units, or would not come back."""

    captions = CAPTIONS
    places = PLACES

    def finding(self, document: RunDocument, origin: str) -> str:
        found = sum(cluster.cluster != -1 for cluster in _clusters(document).root)
        if found == 0:
            return ""
        if found == 1:
            return f"One group: no structure was found{origin or ' in the data'}."
        return f"{found} groups of similar rows{origin or ' from the data'}."

    def steps(self, document: RunDocument, figures: Mapping[str, str]) -> list[Advice]:
        structure = document.section(Structure)
        if structure and not structure.structured:
            return [Advice("Bring in columns that may set rows apart, or treat all rows alike.", "structure")]
        if _clusters(document).root:
            return [Advice("Give each group a name from what sets it apart.", "clusters")]
        return []

    def cautions(self, document: RunDocument) -> list[Advice]:
        found = []
        structure, scalings = document.section(Structure), document.section(Scalings)
        if structure and not structure.structured:
            found.append(Advice(sentence(structure.sentence), "structure"))
        if scalings and scalings.depends:
            found.append(Advice(sentence(scalings.words), "structure"))
        if document.winner.parameters.get("dissimilarity") == "precomputed":
            found.append(
                Advice(
                    "Clusters are made from the distances as they were given; the test of structure, the silhouette "
                    "and the pictures take a row's distances to all things for its coordinates.",
                    "structure",
                )
            )
        shaky = [
            str(cluster.cluster)
            for cluster in _clusters(document).root
            if cluster.stability and cluster.stability.value is not None and cluster.stability.value < SHAKY
        ]
        if shaky:
            which = f"Cluster {shaky[0]} is" if len(shaky) == 1 else f"Clusters {', '.join(shaky)} are"
            found.append(Advice(f"{which} often not found again when the rows are drawn anew.", "clusters"))
        return found

    def brief(self, document: RunDocument) -> list[str]:
        """Whether there is structure, whether scaling matters, what the known groups say."""
        structure, scalings = document.section(Structure), document.section(Scalings)
        words = [structure.sentence] if structure else []
        words += [scalings.words] if scalings else []
        truth = document.section(Truth)
        if truth and truth.adjusted_rand is not None:
            words.append(f"against '{truth.column}', which was not seen: adjusted Rand index {truth.adjusted_rand:.3f}")
        return words

    def tracked(self, document: RunDocument) -> Mapping[str, Tracked]:
        structure, truth = document.section(Structure), document.section(Truth)
        return {
            **({"structure_p_value": structure.pvalue} if structure else {}),
            **({"truth_adjusted_rand": with_interval(truth.agreement)} if truth and truth.agreement else {}),
        }

    def compared(self, document: RunDocument, score: str) -> str:
        return "the stability of the clusters" if _clusters(document).root else score


def _clusters(document: RunDocument) -> Clusters:
    return document.section(Clusters) or Clusters([])

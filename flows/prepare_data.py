"""What both flows do first: from the source to validated, split, analysed rows and a plan to prepare them."""

from __future__ import annotations

from penstock.context import Run
from penstock.flows.preparations import plan_of
from penstock.problems.data import Rows
from penstock.spec.data import table_key
from penstock.spec.pipeline import Spec
from penstock.spec.searched import preparation_space
from penstock.tasks.alternatives import check_alternatives
from penstock.tasks.analyse import analyse
from penstock.tasks.certify import certify_rows, enforce_leakage
from penstock.tasks.diagnose import code_of, diagnose
from penstock.tasks.ingest import Content, ingest, take, tell
from penstock.tasks.learn_suite import learn_suite
from penstock.tasks.prepared_data import PreparedData
from penstock.tasks.register import champion_rules, require_slices
from penstock.tasks.split import split
from penstock.tasks.validate import validate, written_rules


def prepare_data(run: Run, spec: Spec, sample: int | None, given: Content | None = None) -> PreparedData:
    """`given`: rows in the place of the pipeline's source."""
    written = written_rules(run, spec.validation)
    timezone = spec.schedule.timezone if spec.schedule else "UTC"
    content = given or take(run, spec.data, timezone)
    drawn = spec.split.seed if sample else 0  # all rows are the same rows, whatever the seed
    rows = ingest(run, spec.data_as_read, spec.problem, content, sample, drawn)
    tables = {name: _further(run, spec, name, timezone) for name in spec.data.tables}
    rows = rows.model_copy(update={"tables": tables})
    tell(run, rows)
    require_slices(run, spec.register_, rows)
    checks = validate(run, rows, spec.validation, written, champion_rules(run, rows))
    data_split = split(run, rows, spec.split)
    analysed = analyse(run, data_split.train, rows.schema_, spec.split.seed)
    diagnosed = [
        diagnose(run, rows, data_split, choice.name, choice.parameters, code_of(choice.name, run.store))
        for choice in spec.diagnose
    ]
    certificate = None
    if spec.validation.leakage != "off":
        certificate = certify_rows(run, data_split, rows.schema_, analysed.insight, spec.split.within, spec.split.seed)
        enforce_leakage(run, certificate, spec.validation.leakage)
    suite = learn_suite(run, data_split.sides, rows.schemas, spec.validation.suite, written, spec.scoring.policies)
    preparations = preparation_space(spec)
    recipe = plan_of(run, spec, analysed.facts, rows.schema_, preparations.start)
    check_alternatives(run, analysed.facts, rows.schema_, spec.preparation, spec.features, preparations)
    return PreparedData(
        rows=rows,
        checks=checks,
        data_split=data_split,
        analysed=analysed,
        certificate=certificate,
        suite=suite,
        plan=recipe,
        diagnosed=diagnosed,
    )


def _further(run: Run, spec: Spec, name: str, timezone: str) -> Rows:
    """A table beside the first."""
    data = spec.data.table(name)
    return ingest(run, data, spec.problem, take(run, data, timezone, table_key(name)), None, 0, name)

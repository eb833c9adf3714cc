"""Command lines with one mistake each: the words, the exit status, and what the message must say."""

from __future__ import annotations

COMMANDS: dict[str, tuple[list[str], int, str]] = {
    "mistyped command": (["rnu", "x"], 2, "No such command"),
    "mistyped flag": (["run", "x.yaml", "--smaple", "3"], 2, "--sample"),
    "no pipeline": (["run"], 2, "PIPELINE.YAML"),
    "one pipeline too many": (["plan", "a.yaml", "b.yaml"], 2, "b.yaml"),
    "pipeline file is not there": (["run", "no-such-file.yaml"], 2, "PEN007"),
    "plan of a file that is not there": (["plan", "no-such-file.yaml"], 2, "PEN007"),
    "pipeline file is a folder": (["run", "."], 2, "PEN007"),
    "pipeline file below a file": (["run", "data.csv/pipeline.yaml"], 2, "PEN007"),
    "data for a pipeline file": (["run", "data.csv"], 2, "PEN001"),
    "name with a null": (["run", "a\0b"], 2, "null byte"),
    "name too long": (["run", "a" * 5000], 2, "PEN007"),
    "sample of one": (["run", "pipeline.yaml", "--sample", "1"], 2, "--sample"),
    "sample in words": (["run", "pipeline.yaml", "--sample", "few"], 2, "--sample"),
    "set without a value": (["run", "pipeline.yaml", "--set"], 2, "--set"),
    "catalogue of an unknown problem": (["catalog", "--problem", "clasification"], 2, "did you mean 'classification'?"),
    "score with a model that is not there": (["score", "nothing@champion", "data.csv", "b.csv"], 2, "PEN507"),
    "score with a version that is none": (["score", "small@best", "data.csv", "b.csv"], 2, "PEN507"),
    "score with no name": (["score", "@champion", "data.csv", "b.csv"], 2, "PEN016"),
    "score into an unknown format": (["score", "small", "data.csv", "b.docx"], 2, "PEN121"),
    "score with an unknown reading": (["score", "small", "a.csv", "b.csv", "--reading", "x=1"], 2, "PEN008"),
    "score with a broken reading": (["score", "small", "a.csv", "b.csv", "--reading", "header=["], 2, "PEN003"),
    "score with a wrong reading": (["score", "small", "a.csv", "b.csv", "--reading", "encoding=utf-9"], 2, "PEN003"),
    "report without runs": (["report"], 2, "PEN041"),
    "report of an unknown run": (["report", "nothing"], 2, "PEN041"),
    "diff of one": (["runs", "--diff", "latest"], 2, "--diff"),
    "diff without runs": (["runs", "--diff", "latest", "latest~1"], 2, "PEN041"),
    "port out of range": (["ui", "--port", "99999"], 2, "--port"),
    "port in words": (["ui", "--port", "http"], 2, "--port"),
}

"""One Prefect task per stage, one file per stage."""

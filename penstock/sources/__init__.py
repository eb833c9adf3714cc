"""Where rows come from: files of any usual form, databases, buckets, bundled sets, data frames."""

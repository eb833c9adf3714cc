"""What data must look like: learnt and written suites, run by Great Expectations."""

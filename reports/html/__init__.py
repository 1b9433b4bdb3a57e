"""report.html and summary.md of a results folder."""

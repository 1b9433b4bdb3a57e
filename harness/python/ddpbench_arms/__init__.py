"""The arms that run in Python, and the process of a rank that hosts them. See harness/README.md."""

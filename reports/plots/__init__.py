"""Figures of a results folder: drawn from its tables, never computed."""

"""The tables that figures are drawn from, as rows."""

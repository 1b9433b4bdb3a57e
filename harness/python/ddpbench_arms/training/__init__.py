"""Whole trainings (purpose `training`): epochs with validation, a checkpoint, a schedule, and a test run at the end."""

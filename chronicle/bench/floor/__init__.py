"""The floor: one DRF POST, one row, one Celery task, one row, one event. What no turn of this stack can be had for less."""

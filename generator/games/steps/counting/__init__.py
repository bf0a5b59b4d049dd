"""Exact odds under steps of the author's: one distribution passes through the steps of an event."""

"""The engine: `(system, state, event, chance) -> (state, log)`, pure, one module for each procedure."""

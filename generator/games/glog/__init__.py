"""The death and dismemberment tables: severity, injuries, trauma and madness."""

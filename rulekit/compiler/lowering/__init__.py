"""From the model to the intermediate form."""

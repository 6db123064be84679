"""The intermediate form: `types`, `values` and `code`, a closed set of classes; `visitor` goes
through them."""
